-- Up Migration

-- Whether API tokens may order where any customer may. Null, as replicas of the version before write it: no.
alter table offers add allow_api_tokens boolean;

-- `cancelled_by`: null where nobody did, or a replica of the version before wrote it down.
alter table orders add cancelled_by text check (cancelled_by in ('customer', 'seller'));

-- One order at a time for each who orders, whichever workspace it is for. Those who have several under way already may finish
-- them: but for the oldest they are `beside_another`.
alter table orders add beside_another boolean;
update orders o set beside_another = true
where o.state in ('open', 'awaiting_approval', 'awaiting_checkout') and exists (
  select from orders older
  where older.offer_id = o.offer_id and older.holder = o.holder and older.id < o.id
    and older.state in ('open', 'awaiting_approval', 'awaiting_checkout')
);
create unique index orders_one_for_each on orders ((offer_id || ' ' || holder))
  where state in ('open', 'awaiting_approval', 'awaiting_checkout') and beside_another is null;
drop index orders_one_at_a_time;

-- Takes a seat. `outcome`: taken, resumed (there is one under way already), elsewhere (for another workspace, as `view`
-- names it), or why not.
create or replace function open_order(
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
    -- Who sells to themselves needs nobody's leave.
    if ordering_user is null and cardinality(o.allowed_emails) = 0 and o.allow_api_tokens is not true
      and customer_workspace <> o.workspace_id then
      outcome := 'token_refused';
      return;
    end if;
    outcome := offer_state(o, now_ms);
    if outcome <> 'active' then
      return;
    end if;
    select * into own from orders h
    where h.offer_id || ' ' || h.holder = o.id || ' ' || wanted_holder
      and h.state in ('open', 'awaiting_approval', 'awaiting_checkout') and h.beside_another is null;
    if found and own.expires_at > now_ms then
      if own.customer_workspace_id = customer_workspace then
        outcome := 'resumed';
        view := order_view(own.id, now_ms);
      else
        outcome := 'elsewhere';
        view := jsonb_build_object('order_id', own.id, 'workspace_id', own.customer_workspace_id);
      end if;
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

-- Gives up an order that is under way, from either side; its seat is free. `outcome`: done; not_found; else the state of the order,
-- which has ended already, and nothing has changed but what time did.
create function cancel_order(acting_workspace text, wanted text, now_ms bigint, out outcome text, out view jsonb)
language plpgsql set search_path from current as $$
declare
  o orders;
  by_customer boolean;
begin
  perform from offers f join orders w on w.offer_id = f.id
  where w.id = wanted and acting_workspace in (w.customer_workspace_id, w.workspace_id)
  for no key update of f;
  if not found then
    outcome := 'not_found';
    return;
  end if;
  select * into o from orders where id = wanted for no key update;
  outcome := order_state(o, now_ms);
  if outcome <> o.state then
    perform settle_orders(array[wanted], now_ms);
  end if;
  if outcome not in ('open', 'awaiting_approval', 'awaiting_checkout') then
    return;
  end if;
  by_customer := acting_workspace = o.customer_workspace_id;
  update orders set
    state = 'cancelled', cancelled_by = case when by_customer then 'customer' else 'seller' end,
    reason = case when not by_customer then 'The seller cancelled the order.' end,
    updated_at = greatest(updated_at, to_timestamp(now_ms / 1000.0))
  where id = wanted;
  insert into outbox (aggregate_id, subject, payload)
  values (wanted, 'events.orders.cancelled', order_event(o.workspace_id, o.customer_workspace_id, o.offer_id));
  outcome := 'done';
  view := order_view(wanted, now_ms);
end $$;

-- As before, but that money for an order that its seller has cancelled goes back, whether a seat is free or not.
create or replace function settle_payment(
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
    when o.cancelled_by = 'seller' then 'refund_due'
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

-- Down Migration
drop function cancel_order;
create unique index orders_one_at_a_time on orders ((offer_id || ' ' || customer_workspace_id || ' ' || holder))
  where state in ('open', 'awaiting_approval', 'awaiting_checkout');
drop index orders_one_for_each;
create or replace function open_order(
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
create or replace function settle_payment(
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
alter table orders drop beside_another, drop cancelled_by;
alter table offers drop allow_api_tokens;
