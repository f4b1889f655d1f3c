-- Takes a seat. `outcome`: taken, resumed (there is one under way already), elsewhere (for another workspace, as `view`
-- names it), or why not.
--
-- Seats of an offer are taken and redeemed under the lock of its row alone, which this function and the others that do so
-- take first; who gives one back need not have it. Functions, since what they read after the lock has to be as of then: a
-- single statement would count the orders as of its beginning.
create or replace function open_order(
  new_id text, wanted_hash text, customer_workspace text, wanted_holder text, ordering_user text, verified_email text,
  now_ms bigint, by json, out outcome text, out view jsonb
) language plpgsql set search_path from current as $$
declare
  locked boolean;
  has_seats boolean;
  o offers;
  own orders;
begin
  -- First without the lock: who gets no seat need not wait for those who do. What changes between two statements must not
  -- make seats look taken: redemptions grow, and one's own order, which may be what takes the last seat, is looked for after
  -- the orders are counted.
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
      and (verified_email is null or verified_email <> all (o.allowed_emails)) then
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
    if not locked then
      has_seats := seats_left(o.id, o.max_uses, o.redeemed, now_ms);
    end if;
    select * into own from orders h
    where h.offer_id || ' ' || h.holder = o.id || ' ' || wanted_holder
      and is_under_way(h.state);
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
      if not hold_open(o.workspace_id, customer_workspace, now_ms) then
        outcome := 'not_found';
        return;
      end if;
      perform settle_orders(array[own.id], now_ms);
      perform expire_orders_of(o.id, o.max_uses, now_ms);
      has_seats := seats_left(o.id, o.max_uses, o.redeemed, now_ms);
    end if;
    if not has_seats then
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
  perform write_event(
    own.id, 'events.orders.created', order_event(o.workspace_id, customer_workspace, o.id), by, null
  );
  outcome := 'taken';
  view := order_view(new_id, now_ms);
end $$;
