-- What Stripe says was paid, once per session and message. `paid`: id, order and attempt of the session, amount, currency,
-- subscription, invoice. Money that comes late takes a free seat if there is one, and else goes back; money for an order that
-- its seller has cancelled goes back in any case. `outcome`: done; refund_due; not_the_price, which goes back, too; repeated;
-- not_found. Under the lock of the offer (open_order.sql).
create or replace function settle_payment(
  paid jsonb, event_id text, new_install text, now_ms bigint, out outcome text
) language plpgsql set search_path from current as $$
declare
  s checkout_sessions;
  offer offers;
  o orders;
  was text;
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
    when o.state in ('expired', 'cancelled') and hold_open(o.workspace_id, o.customer_workspace_id, now_ms)
      and offer_state(offer, now_ms) = 'active'
      and seats_left(offer.id, offer.max_uses, offer.redeemed, now_ms) then 'done'
    else 'refund_due'
  end;
  update checkout_sessions set
    id = paid ->> 'id', state = case when outcome = 'done' then 'paid' else 'refund_due' end,
    amount = (paid ->> 'amount')::bigint, subscription = paid ->> 'subscription', invoice = paid ->> 'invoice',
    due_at = case when outcome <> 'done' then now_ms end, tries = 0
  where order_id = s.order_id and attempt = s.attempt;
  if outcome = 'done' then
    was := o.state;
    update orders set
      state = 'completed', reason = null, updated_at = greatest(updated_at, to_timestamp(now_ms / 1000.0))
    where id = o.id returning * into o;
    perform complete_order(o, new_install, now_ms, was, by_system('stripe'));
  else
    perform write_event(
      o.id, 'events.orders.refund_due', order_event(o.workspace_id, o.customer_workspace_id, o.offer_id),
      by_system('stripe'), null
    );
  end if;
end $$;
