-- Writes down what these orders have become by themselves, with their events; answers how many of them have.
create or replace function settle_orders(ids text[], now_ms bigint) returns bigint
language sql set search_path from current as $$
  with ended as (
    update orders o set
      state = order_state(o, now_ms), reason = order_reason(o.state, o.reason, order_state(o, now_ms)),
      updated_at = greatest(o.updated_at, to_timestamp(now_ms / 1000.0))
    from orders as before
    where o.id = any (ids) and order_state(o, now_ms) <> o.state and before.id = o.id
    returning before.state as was, o.id, o.state, o.workspace_id, o.customer_workspace_id, o.offer_id
  )
  select count(*) from ended e, lateral write_event(
    e.id, 'events.orders.' || e.state, order_event(e.workspace_id, e.customer_workspace_id, e.offer_id),
    by_system('end_orders'), order_changes(e.was, e.state)
  )
$$;
