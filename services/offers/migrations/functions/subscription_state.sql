-- The state at this moment: `active`, `past_due`, `lapsed` or `ended`, whether an event has told it or not.
create or replace function subscription_state(s subscriptions, now_ms bigint) returns text
language sql stable set search_path from current as $$
  select case
    when s.ended_at is not null or s.provider = 'manual' and s.cancel_at * 1000 <= now_ms then 'ended'
    when s.paid_through is null or s.status in ('active', 'trialing') or now_ms < s.paid_through * 1000 then 'active'
    when now_ms < grace_until(s) * 1000 then 'past_due'
    else 'lapsed'
  end
$$;
