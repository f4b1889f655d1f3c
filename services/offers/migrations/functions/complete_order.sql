-- The order, whose state was another, is completed: its seat is redeemed and its install starts. The offer's row is locked.
create or replace function complete_order(o orders, new_install text, now_ms bigint, was text, by json) returns void
language plpgsql set search_path from current as $$
declare
  offer offers;
  i installs;
  s subscriptions;
begin
  update offers set redeemed = coalesce(redeemed, 0) + 1 where id = o.offer_id returning * into offer;
  insert into installs (
    id, workspace_id, offer_id, order_id, customer_workspace_id, product_id, package_version_id, cluster_id, field_values,
    state, created_at
  ) values (
    new_install, o.workspace_id, o.offer_id, o.id, o.customer_workspace_id, offer.product_id, offer.package_version_id,
    o.cluster_id, o.field_values, 'started', to_timestamp(now_ms / 1000.0)
  ) returning * into i;
  perform write_event(
    o.id, 'events.orders.completed', order_event(o.workspace_id, o.customer_workspace_id, o.offer_id), by,
    order_changes(was, 'completed')
  );
  perform write_event(new_install, 'events.installs.created', jsonb_build_object(
    'workspace_id', o.workspace_id, 'customer_workspace_id', o.customer_workspace_id, 'offer_id', o.offer_id,
    'order_id', o.id, 'product_id', offer.product_id, 'package_version_id', offer.package_version_id,
    'cluster_id', o.cluster_id
  ), by, null);
  for s in select * from start_subscription(i, now_ms) loop
    perform write_event(new_install, 'events.subscriptions.started', subscription_event(s), by, null);
  end loop;
end $$;
