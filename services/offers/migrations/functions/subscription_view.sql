-- The subscription as answers have it.
create or replace function subscription_view(wanted_install text, now_ms bigint) returns jsonb
language sql stable set search_path from current as $$
  select jsonb_build_object(
    'provider', s.provider, 'state', v.now_state, 'paid_through', s.paid_through, 'grace_until', grace_until(s),
    'cancel_at', s.cancel_at, 'ended_at', case when v.now_state = 'ended' then coalesce(s.ended_at, s.cancel_at) end,
    'end_reason', case when v.now_state = 'ended' then s.end_reason end, 'problem', s.problem, 'read_at', s.read_at
  )
  from subscriptions s cross join lateral (select subscription_state(s, now_ms) as now_state) v
  where s.install_id = wanted_install
$$;
