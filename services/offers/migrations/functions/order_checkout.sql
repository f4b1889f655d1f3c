-- Who takes the payment of an order, and whether one of its payments goes back.
create or replace function order_checkout(wanted text, provider text) returns jsonb
language sql stable set search_path from current as $$
  select jsonb_build_object(
    'provider', provider,
    'refund', case when bool_or(s.state = 'refund_due') then 'due' when bool_or(s.state = 'refunded') then 'done' end
  )
  from checkout_sessions s where s.order_id = wanted
  having provider is not null
$$;
