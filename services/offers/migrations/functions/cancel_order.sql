-- Cancels an order that is under way, for either side; its seat is free. `outcome`: done; not_found; else the state of the
-- order, which has ended already, and nothing has changed but what time did. Under the lock of the offer (open_order.sql).
create or replace function cancel_order(
  acting_workspace text, wanted text, now_ms bigint, by json, out outcome text, out view jsonb
)
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
  if not is_under_way(outcome) then
    return;
  end if;
  by_customer := acting_workspace = o.customer_workspace_id;
  update orders set
    state = 'cancelled', cancelled_by = case when by_customer then 'customer' else 'seller' end,
    reason = case when not by_customer then 'The seller cancelled the order.' end,
    updated_at = greatest(updated_at, to_timestamp(now_ms / 1000.0))
  where id = wanted;
  perform write_event(
    wanted, 'events.orders.cancelled', order_event(o.workspace_id, o.customer_workspace_id, o.offer_id), by,
    order_changes(outcome, 'cancelled')
  );
  outcome := 'done';
  view := order_view(wanted, now_ms);
end $$;
