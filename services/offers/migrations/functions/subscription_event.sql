-- The data of the events of a subscription.
create or replace function subscription_event(s subscriptions) returns jsonb
language sql stable set search_path from current as $$
  select jsonb_build_object(
    'workspace_id', s.workspace_id, 'customer_workspace_id', s.customer_workspace_id, 'offer_id', i.offer_id,
    'order_id', i.order_id, 'provider', s.provider, 'paid_through', s.paid_through, 'grace_until', grace_until(s),
    'cancel_at', s.cancel_at, 'end_reason', s.end_reason
  )
  from installs i where i.id = s.install_id
$$;
