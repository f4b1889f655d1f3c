-- The subscription as answers have it. It takes the row, as it would be started for each install without one otherwise.
create or replace function subscription_view(s subscriptions, now_ms bigint) returns jsonb
language sql stable set search_path from current as $$
  select jsonb_build_object(
    'provider', s.provider, 'state', v.now_state, 'paid_through', s.paid_through, 'grace_until', grace_until(s),
    'cancel_at', s.cancel_at, 'ended_at', case when v.now_state = 'ended' then coalesce(s.ended_at, s.cancel_at) end,
    'end_reason', case when v.now_state = 'ended' then s.end_reason end, 'problem', s.problem, 'read_at', s.read_at
  )
  from (select subscription_state(s, now_ms) as now_state) v
$$;
