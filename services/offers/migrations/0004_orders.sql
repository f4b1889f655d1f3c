-- Up Migration

-- Successful redemptions; null: none yet. Changed only under the lock of its row, like all that concerns the seats of
-- an offer. `cancelling`: revoked, and orders of it are still to be written down as cancelled.
alter table offers add redeemed integer check (redeemed between 0 and max_uses), add cancelling boolean;
create index on offers (id) where cancelling;

create table orders (
  id text primary key,
  -- The seller's, as of every row here.
  workspace_id text not null,
  offer_id text not null,
  customer_workspace_id text not null,
  -- The person or the API token that ordered.
  holder text not null,
  user_id text,
  -- As it was verified when the order was made.
  email text,
  state text not null check (state in (
    'open', 'awaiting_approval', 'awaiting_checkout', 'completed', 'expired', 'rejected', 'cancelled'
  )),
  -- As submitted, with the values that the seller locked.
  field_values jsonb,
  -- Written by the submission.
  cluster_id text,
  -- Who takes the payment: whoever the deployment had for it when the payment fell due.
  checkout_provider text check (checkout_provider in ('manual', 'stripe')),
  -- Why it was rejected or cancelled.
  reason text,
  -- Unix milliseconds: until then it holds its seat.
  expires_at bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (workspace_id, offer_id) references offers (workspace_id, id),
  check (state in ('open', 'cancelled', 'expired') or field_values is not null),
  check (state <> 'awaiting_checkout' or checkout_provider is not null)
);

-- One order at a time for each who orders: asking twice takes one seat. One text, for which no other index is of use: where
-- most offers have one order, any index that begins with the offer seems as good, and is read in full where one has many.
create unique index orders_one_at_a_time on orders ((offer_id || ' ' || customer_workspace_id || ' ' || holder))
  where state in ('open', 'awaiting_approval', 'awaiting_checkout');
create index orders_holding on orders (expires_at) where state in ('open', 'awaiting_approval', 'awaiting_checkout');
create index orders_seats on orders (offer_id, expires_at)
  where state in ('open', 'awaiting_approval', 'awaiting_checkout');
-- What somebody ordered last.
create index on orders (offer_id, holder, id);
create index on orders (offer_id, id);
create index on orders (workspace_id, id);
create index orders_cluster on orders (customer_workspace_id, cluster_id)
  where cluster_id is not null and state in ('open', 'awaiting_approval', 'awaiting_checkout');
create index on orders (customer_workspace_id, id);

-- What was begun at Stripe to have an order paid.
create table checkout_sessions (
  order_id text not null references orders,
  attempt integer not null,
  -- What Stripe is asked for, the same however often it is asked: order and attempt are its idempotency key.
  request jsonb not null,
  -- As Stripe calls it. Null until its answer is stored, and nobody learns before that where to pay.
  id text unique,
  url text,
  -- `open` can be paid; `processing`: the money is on its way, and is asked after each day; `closed` without having been
  -- paid. Where the money did not come, the subscription ends first, which would go on asking for it: `cancel_due`. Money
  -- that came when no seat was left for it, or that is not the price, goes back: `refund_due`, `refunded`.
  state text not null check (
    state in ('open', 'processing', 'paid', 'cancel_due', 'refund_due', 'refunded', 'closed')
  ),
  -- Once it was paid; the subscription also where the money did not come.
  amount bigint,
  subscription text,
  invoice text,
  -- Unix milliseconds. `ends_at`: from then on Stripe takes no payment for it. `due_at`: when it is looked at whether
  -- something is to be done about it at Stripe; `tries` have been made.
  begun_at bigint not null,
  ends_at bigint not null,
  due_at bigint,
  tries integer not null default 0,
  primary key (order_id, attempt),
  check (state in ('open', 'closed') or id is not null)
);
-- Two that can be paid could both be paid.
create unique index checkout_sessions_one_at_a_time on checkout_sessions (order_id) where state in ('open', 'processing');
create index on checkout_sessions (due_at) where due_at is not null;

-- Messages about payments that were heeded: Stripe may send each several times.
create table checkout_events (
  id text primary key,
  order_id text not null references orders,
  received_at timestamptz not null
);
create index on checkout_events (order_id);
create index on checkout_events (received_at);

alter table installs
  add order_id text not null unique references orders,
  add customer_workspace_id text not null,
  add cluster_id text,
  add field_values jsonb not null,
  -- Bytes: pages of a list are bounded by them.
  add field_values_size integer not null generated always as (octet_length(field_values::text)) stored;
create index on installs (customer_workspace_id, id);
-- What the seller asks for, and the foreign keys of what the seller deletes.
create index on installs (workspace_id, offer_id, id);
create index on installs (workspace_id, product_id, id);
create index on installs (workspace_id, package_version_id, id);
create index on installs (customer_workspace_id, cluster_id) where cluster_id is not null;

-- Seats that orders under way hold, none once the offer is revoked. Where there is no limit, 1,000 of them are counted.
create function held_seats(offer text, now_ms bigint) returns bigint language sql stable set search_path from current as $$
  select count(*) from (
    select from orders o
    where o.offer_id = offer and o.state in ('open', 'awaiting_approval', 'awaiting_checkout') and o.expires_at > now_ms
    limit coalesce(
      (select coalesce(f.max_uses, 1000) from offers f where f.id = offer and f.revoked_at is null), 0
    )
  ) held
$$;

-- The first that is true. The one of the catalogue stays for replicas that know no orders.
create function offer_state(o offers, now_ms bigint) returns text language sql stable as $$
  select case
    when o.revoked_at is not null then 'revoked'
    when o.redeemed >= o.max_uses then 'exhausted'
    when o.expires_at * 1000 <= now_ms then 'expired'
    else 'active'
  end
$$;

-- What an order that is under way becomes by itself: expired when its time has passed, cancelled when its offer is
-- revoked; what came first stays. Columns and not the row, which would be read with values of any size.
create function state_by_itself(offer text, state text, order_expires_at bigint, now_ms bigint) returns text
language sql stable set search_path from current as $$
  select case
    when order_expires_at <= coalesce(extract(epoch from f.revoked_at) * 1000, now_ms) then 'expired'
    when f.revoked_at is not null then 'cancelled'
    else state
  end
  from offers f where f.id = offer
$$;

-- The state, whether somebody has written it down or not.
create function order_state(o orders, now_ms bigint) returns text language sql stable as $$
  select case
    when o.state in ('open', 'awaiting_approval', 'awaiting_checkout')
    then state_by_itself(o.offer_id, o.state, o.expires_at, now_ms)
    else o.state
  end
$$;

-- Why it is in that state, where somebody said so.
create function order_reason(written_state text, written_reason text, now_state text) returns text
language sql immutable as $$
  select case when written_state <> now_state and now_state = 'cancelled' then 'The offer was revoked.' else written_reason end
$$;

-- Who takes the payment of an order, and whether one of its payments goes back.
create function order_checkout(wanted text, provider text) returns jsonb
language sql stable set search_path from current as $$
  select jsonb_build_object(
    'provider', provider,
    'refund', case when bool_or(s.state = 'refund_due') then 'due' when bool_or(s.state = 'refunded') then 'done' end
  )
  from checkout_sessions s where s.order_id = wanted
  having provider is not null
$$;

-- An order as both sides see it.
create function order_view(wanted text, now_ms bigint) returns jsonb language sql stable set search_path from current as $$
  select jsonb_build_object(
    'id', o.id, 'state', s.now_state, 'offer_id', f.id, 'short_hash', f.short_hash,
    'product_id', f.product_id, 'package_version_id', f.package_version_id,
    'seller_workspace_id', o.workspace_id, 'workspace_id', o.customer_workspace_id,
    'ordered_by', jsonb_build_object('id', o.holder, 'email', o.email),
    'terms', f.terms, 'field_values', o.field_values, 'cluster_id', o.cluster_id,
    'checkout', order_checkout(o.id, o.checkout_provider),
    'reason', order_reason(o.state, o.reason, s.now_state), 'install_id', i.id,
    'expires_at', floor(o.expires_at / 1000.0)::bigint,
    'created_at', floor(extract(epoch from o.created_at))::bigint,
    'updated_at', floor(extract(epoch from o.updated_at))::bigint
  )
  from orders o join offers f on f.id = o.offer_id left join installs i on i.order_id = o.id
  cross join lateral (select order_state(o, now_ms) as now_state) s
  where o.id = wanted
$$;

-- What the events of an order tell.
create function order_event(seller text, customer text, offer text) returns jsonb language sql immutable as $$
  select jsonb_build_object('workspace_id', seller, 'customer_workspace_id', customer, 'offer_id', offer)
$$;

-- The seats of an offer change under the lock of its row, which each of these functions takes first: seats are taken
-- and redeemed by nobody else. Who gives one back need not have it. Functions, since what they read after the lock has
-- to be as of then: a single statement would count the orders as of its beginning.

-- Writes down and tells what these orders have become by themselves; answers how many of them have.
create function settle_orders(ids text[], now_ms bigint) returns bigint
language sql set search_path from current as $$
  with ended as (
    update orders o set
      state = order_state(o, now_ms), reason = order_reason(o.state, o.reason, order_state(o, now_ms)),
      updated_at = greatest(o.updated_at, to_timestamp(now_ms / 1000.0))
    where o.id = any (ids) and order_state(o, now_ms) <> o.state
    returning o.id, o.state, o.workspace_id, o.customer_workspace_id, o.offer_id
  ), told as (
    insert into outbox (aggregate_id, subject, payload)
    select id, 'events.orders.' || state, order_event(workspace_id, customer_workspace_id, offer_id) from ended
  )
  select count(*) from ended
$$;

-- Written down, an order is expired whatever the clocks of other replicas say. Afterwards all of the offer are that are past
-- their time, or so many that there are seats: who asks takes one, and the sweep does the rest. Without a limit nobody
-- needs them.
create function expire_orders_of(offer text, max_uses integer, now_ms bigint) returns void
language sql set search_path from current as $$
  select settle_orders(array(
    select h.id from orders h
    where h.offer_id = offer and h.state in ('open', 'awaiting_approval', 'awaiting_checkout') and h.expires_at <= now_ms
    limit 100
  ), now_ms)
  where max_uses is not null
$$;

-- Whether one more order would not be one too many.
create function seats_left(offer text, max_uses integer, redeemed integer, now_ms bigint) returns boolean
language sql stable set search_path from current as $$
  select max_uses is null or coalesce(redeemed, 0) + held_seats(offer, now_ms) < max_uses
$$;

-- Until when an order may go on from now: never past the offer's own time.
create function order_deadline(o offers, now_ms bigint) returns bigint language sql immutable as $$
  select least(now_ms + o.order_ttl_minutes * 60000::bigint, o.expires_at * 1000)
$$;

-- Takes a seat. `outcome`: taken, resumed (there is one under way already), or why not.
create function open_order(
  new_id text, wanted_hash text, customer_workspace text, wanted_holder text, ordering_user text, verified_email text,
  now_ms bigint, out outcome text, out view jsonb
) language plpgsql set search_path from current as $$
declare
  locked boolean;
  o offers;
  own orders;
begin
  -- First without the lock: who gets no seat need not wait for those who do. What is read between two statements only
  -- makes seats look free: redemptions grow, and the orders are counted last.
  foreach locked in array array[false, true] loop
    if locked then
      select * into o from offers where short_hash = wanted_hash for no key update;
    else
      select * into o from offers where short_hash = wanted_hash;
    end if;
    if not found then
      outcome := 'not_found';
      return;
    end if;
    if cardinality(o.allowed_emails) > 0
      and (verified_email is null or lower(verified_email) <> all (o.allowed_emails)) then
      outcome := 'not_entitled';
      return;
    end if;
    outcome := offer_state(o, now_ms);
    if outcome <> 'active' then
      return;
    end if;
    select * into own from orders h
    where h.offer_id || ' ' || h.customer_workspace_id || ' ' || h.holder
        = o.id || ' ' || customer_workspace || ' ' || wanted_holder
      and h.state in ('open', 'awaiting_approval', 'awaiting_checkout');
    if found and own.expires_at > now_ms then
      outcome := 'resumed';
      view := order_view(own.id, now_ms);
      return;
    end if;
    if locked then
      perform settle_orders(array[own.id], now_ms);
      perform expire_orders_of(o.id, o.max_uses, now_ms);
    end if;
    if not seats_left(o.id, o.max_uses, o.redeemed, now_ms) then
      outcome := 'held';
      return;
    end if;
  end loop;
  insert into orders (
    id, workspace_id, offer_id, customer_workspace_id, holder, user_id, email, state, expires_at, created_at, updated_at
  ) values (
    new_id, o.workspace_id, o.id, customer_workspace, wanted_holder, ordering_user, verified_email, 'open',
    order_deadline(o, now_ms), to_timestamp(now_ms / 1000.0), to_timestamp(now_ms / 1000.0)
  ) returning * into own;
  insert into outbox (aggregate_id, subject, payload) values (own.id, 'events.orders.created', order_event(o.workspace_id, customer_workspace, o.id));
  outcome := 'taken';
  view := order_view(new_id, now_ms);
end $$;

-- The order is through: its seat is redeemed and its install starts. The offer's row is locked.
create function complete_order(o orders, new_install text, now_ms bigint) returns void
language plpgsql set search_path from current as $$
declare
  offer offers;
begin
  update offers set redeemed = coalesce(redeemed, 0) + 1 where id = o.offer_id returning * into offer;
  insert into installs (
    id, workspace_id, offer_id, order_id, customer_workspace_id, product_id, package_version_id, cluster_id, field_values,
    state, created_at
  ) values (
    new_install, o.workspace_id, o.offer_id, o.id, o.customer_workspace_id, offer.product_id, offer.package_version_id,
    o.cluster_id, o.field_values, 'started', to_timestamp(now_ms / 1000.0)
  );
  insert into outbox (aggregate_id, subject, payload)
  values (o.id, 'events.orders.completed', order_event(o.workspace_id, o.customer_workspace_id, o.offer_id));
  insert into outbox (aggregate_id, subject, payload)
  values (new_install, 'events.installs.created', jsonb_build_object(
    'workspace_id', o.workspace_id, 'customer_workspace_id', o.customer_workspace_id, 'offer_id', o.offer_id,
    'order_id', o.id, 'product_id', offer.product_id, 'package_version_id', offer.package_version_id,
    'cluster_id', o.cluster_id
  ));
end $$;

-- One step of an order: by the customer `submit` or `cancel`, by the seller `approve`, `reject` or `pay`. `detail`: what
-- the step brings with it. `outcome`: done; not_found; not_entitled; paid_elsewhere; cluster_closed; else the state of the
-- order, from which this step does not start, and nothing has changed but what time did.
create function advance_order(
  acting_workspace text, acting_holder text, wanted text, step text, detail jsonb, new_install text, now_ms bigint,
  out outcome text, out view jsonb
) language plpgsql set search_path from current as $$
declare
  offer offers;
  o orders;
begin
  select f.* into offer from offers f join orders w on w.offer_id = f.id
  where w.id = wanted and acting_workspace = case
    when step in ('submit', 'cancel') then w.customer_workspace_id else w.workspace_id
  end
  for no key update of f;
  if not found then
    outcome := 'not_found';
    return;
  end if;
  select * into o from orders where id = wanted for no key update;
  -- Who is entitled ordered; colleagues see the order, and may give it up.
  if step = 'submit' and o.holder <> acting_holder then
    outcome := 'not_entitled';
    return;
  end if;
  outcome := order_state(o, now_ms);
  if outcome <> o.state then
    perform settle_orders(array[wanted], now_ms);
  end if;
  if outcome <> all (case step
    when 'submit' then array['open']
    when 'approve' then array['awaiting_approval']
    when 'reject' then array['awaiting_approval']
    when 'pay' then array['awaiting_checkout']
    when 'cancel' then array['open', 'awaiting_approval', 'awaiting_checkout']
    else '{}'
  end) then
    return;
  end if;
  if step = 'submit' and detail ->> 'cluster_id' is not null then
    perform pg_advisory_xact_lock_shared(cluster_lock(detail ->> 'cluster_id'));
    if exists (
      select from closed_clusters c
      where c.customer_workspace_id = o.customer_workspace_id and c.cluster_id = detail ->> 'cluster_id'
    ) then
      outcome := 'cluster_closed';
      return;
    end if;
  end if;
  if step = 'pay' and o.checkout_provider <> 'manual' then
    outcome := 'paid_elsewhere';
    return;
  end if;
  o.state := case
    when step = 'cancel' then 'cancelled'
    when step = 'reject' then 'rejected'
    when step = 'submit' and offer.terms ->> 'approval' = 'manual' then 'awaiting_approval'
    when step in ('submit', 'approve') and offer.terms ->> 'checkout' = 'required' then 'awaiting_checkout'
    else 'completed'
  end;
  update orders set
    state = o.state,
    field_values = coalesce(detail -> 'field_values', field_values),
    cluster_id = coalesce(detail ->> 'cluster_id', cluster_id),
    reason = detail ->> 'reason',
    checkout_provider = case
      when o.state = 'awaiting_checkout' then detail ->> 'checkout_provider' else checkout_provider
    end,
    -- A step that was made in time is not undone by the time that others take.
    expires_at = case when step in ('submit', 'approve') then order_deadline(offer, now_ms) else expires_at end,
    updated_at = greatest(updated_at, to_timestamp(now_ms / 1000.0))
  where id = wanted returning * into o;
  if o.state = 'completed' then
    perform complete_order(o, new_install, now_ms);
  else
    insert into outbox (aggregate_id, subject, payload)
    values (o.id, 'events.orders.' || o.state, order_event(o.workspace_id, o.customer_workspace_id, o.offer_id));
  end if;
  outcome := 'done';
  view := order_view(wanted, now_ms);
end $$;

-- A place where an order can be paid, or the one that it has. `outcome`: reserved, to be asked for at Stripe; known, its
-- `url` is the answer; over, Stripe has to say first what became of it; not_found; manual; else the state of the order.
create function reserve_checkout(
  acting_workspace text, wanted text, asked jsonb, session_ends_at bigint, now_ms bigint,
  out outcome text, out session checkout_sessions
) language plpgsql set search_path from current as $$
declare
  o orders;
begin
  select * into o from orders where id = wanted and customer_workspace_id = acting_workspace for no key update;
  outcome := case
    when o.id is null then 'not_found'
    when order_state(o, now_ms) <> 'awaiting_checkout' then order_state(o, now_ms)
    when o.checkout_provider <> 'stripe' then 'manual'
  end;
  if outcome is not null then
    return;
  end if;
  -- What Stripe did not answer for so long is asked for no more: it would be refused by now for ending too soon. Should it
  -- exist, nobody knows where.
  update checkout_sessions set state = 'closed', due_at = null
  where order_id = wanted and state = 'open' and id is null and begun_at < now_ms - 240000;
  select * into session from checkout_sessions where order_id = wanted and state in ('open', 'processing');
  if not found then
    insert into checkout_sessions (order_id, attempt, request, state, begun_at, ends_at, due_at)
    select wanted, coalesce(max(s.attempt), 0) + 1, asked, 'open', now_ms, session_ends_at, o.expires_at
    from checkout_sessions s where s.order_id = wanted
    returning * into session;
  end if;
  outcome := case
    when session.id is null then 'reserved'
    when session.state = 'open' and session.ends_at <= now_ms then 'over'
    else 'known'
  end;
end $$;

-- Nobody shall pay for an order that has ended: its session is looked at soon. One that Stripe is being asked for at this
-- moment gets the time to become known.
create function end_checkout() returns trigger language plpgsql set search_path from current as $$
declare
  ended_at bigint := floor(extract(epoch from new.updated_at) * 1000);
begin
  update checkout_sessions set due_at = case when id is null then ended_at + 60000 else ended_at end
  where order_id = new.id and state = 'open';
  return null;
end $$;
create trigger checkout_ends after update of state on orders for each row
  when (old.state = 'awaiting_checkout' and new.state <> 'awaiting_checkout') execute function end_checkout();

-- What Stripe says was paid, once per session and message. `paid`: id, order and attempt of the session, amount, currency,
-- subscription, invoice. Money that comes late takes a free seat if there is one, and else goes back. `outcome`: done;
-- refund_due; not_the_price, which goes back, too; repeated; not_found.
create function settle_payment(
  paid jsonb, event_id text, new_install text, now_ms bigint, out outcome text
) language plpgsql set search_path from current as $$
declare
  s checkout_sessions;
  offer offers;
  o orders;
begin
  select * into s from checkout_sessions where id = paid ->> 'id';
  if not found then
    select * into s from checkout_sessions
    where order_id = paid ->> 'order_id' and attempt = (paid ->> 'attempt')::integer and id is null;
  end if;
  if not found then
    outcome := 'not_found';
    return;
  end if;
  select f.* into offer from offers f join orders w on w.offer_id = f.id where w.id = s.order_id for no key update of f;
  perform settle_orders(array[s.order_id], now_ms);
  perform expire_orders_of(offer.id, offer.max_uses, now_ms);
  select * into o from orders where id = s.order_id for no key update;
  select * into s from checkout_sessions where order_id = s.order_id and attempt = s.attempt for update;
  if event_id is not null then
    insert into checkout_events (id, order_id, received_at) values (event_id, o.id, to_timestamp(now_ms / 1000.0))
    on conflict do nothing;
    if not found then
      outcome := 'repeated';
      return;
    end if;
  end if;
  if s.state in ('paid', 'refund_due', 'refunded') then
    outcome := 'repeated';
    return;
  end if;
  outcome := case
    when (offer.terms #>> '{price,unit_amount}')::bigint is distinct from (paid ->> 'amount')::bigint
      or offer.terms #>> '{price,currency}' is distinct from paid ->> 'currency' then 'not_the_price'
    -- Its subscription was given up: it ends, or has.
    when s.state in ('cancel_due', 'closed') and s.subscription is not null then 'refund_due'
    when o.state = 'awaiting_checkout' then 'done'
    when o.state in ('expired', 'cancelled') and offer_state(offer, now_ms) = 'active'
      and seats_left(offer.id, offer.max_uses, offer.redeemed, now_ms) then 'done'
    else 'refund_due'
  end;
  update checkout_sessions set
    id = paid ->> 'id', state = case when outcome = 'done' then 'paid' else 'refund_due' end,
    amount = (paid ->> 'amount')::bigint, subscription = paid ->> 'subscription', invoice = paid ->> 'invoice',
    due_at = case when outcome <> 'done' then now_ms end, tries = 0
  where order_id = s.order_id and attempt = s.attempt;
  if outcome = 'done' then
    update orders set
      state = 'completed', reason = null, updated_at = greatest(updated_at, to_timestamp(now_ms / 1000.0))
    where id = o.id returning * into o;
    perform complete_order(o, new_install, now_ms);
  else
    insert into outbox (aggregate_id, subject, payload)
    values (o.id, 'events.orders.refund_due', order_event(o.workspace_id, o.customer_workspace_id, o.offer_id));
  end if;
end $$;

-- The money is back where it came from.
create function settle_refund(wanted text, wanted_attempt integer) returns void
language plpgsql set search_path from current as $$
declare
  o orders;
begin
  select * into o from orders where id = wanted for no key update;
  update checkout_sessions set state = 'refunded', due_at = null
  where order_id = wanted and attempt = wanted_attempt and state = 'refund_due';
  if found then
    insert into outbox (aggregate_id, subject, payload)
    values (o.id, 'events.orders.refunded', order_event(o.workspace_id, o.customer_workspace_id, o.offer_id));
  end if;
end $$;

-- From its reply on no install starts from the offer. Orders that are under way end with it: so many are written down
-- at once that it takes no long time, and others, which there may be without a limit, by and by.
create function revoke_offer(wanted_workspace text, wanted text, now_ms bigint) returns setof offers
language plpgsql set search_path from current as $$
declare
  o offers;
begin
  select * into o from offers where workspace_id = wanted_workspace and id = wanted for no key update;
  if not found then
    return;
  end if;
  if o.revoked_at is null then
    update offers set revoked_at = to_timestamp(now_ms / 1000.0), cancelling = true where id = wanted returning * into o;
    insert into outbox (aggregate_id, subject, payload)
    values (wanted, 'events.offers.revoked', jsonb_build_object('workspace_id', wanted_workspace));
    perform cancel_orders_of(wanted, 1000, now_ms);
  end if;
  return next o;
end $$;

-- Writes down that orders of a revoked offer are cancelled, `most` at a time. Its row is locked.
create function cancel_orders_of(offer text, most bigint, now_ms bigint) returns bigint
language plpgsql set search_path from current as $$
declare
  ended text[] := array(
    select h.id from orders h where h.offer_id = offer and h.state in ('open', 'awaiting_approval', 'awaiting_checkout')
    limit most
  );
begin
  if cardinality(ended) < most then
    update offers set cancelling = null where id = offer;
  end if;
  return settle_orders(ended, now_ms);
end $$;

-- Down Migration
drop trigger checkout_ends on orders;
drop function cancel_orders_of, revoke_offer, settle_refund, settle_payment, end_checkout, reserve_checkout;
drop function advance_order, complete_order, open_order, order_deadline,
  seats_left, expire_orders_of, settle_orders, order_event, order_view, order_checkout, order_reason, order_state, state_by_itself,
  held_seats;
drop function offer_state(offers, bigint);
drop index installs_workspace_id_offer_id_id_idx, installs_workspace_id_product_id_id_idx,
  installs_workspace_id_package_version_id_id_idx;
alter table installs drop order_id, drop customer_workspace_id, drop cluster_id,
  drop field_values_size, drop field_values;
drop table checkout_events, checkout_sessions, orders;
alter table offers drop redeemed, drop cancelling;
