-- What Stripe said, from the last who claimed it: `reading` has columns of the row. `done_wants`: what was wanted then was carried out;
-- what is wanted since is still to be. False: somebody else has claimed it since, and reads something newer.
create or replace function record_subscription(
  wanted_install text, claim integer, done_wants integer, claimed_until bigint, reading jsonb, next_check_at bigint, now_ms bigint
) returns boolean language plpgsql set search_path from current as $$
declare
  was subscriptions;
  s subscriptions;
begin
  select * into was from subscriptions where install_id = wanted_install and claims = claim for no key update;
  if not found or was.ended_at is not null then
    return false;
  end if;
  s := jsonb_populate_record(was, reading);
  if s.ended_at is not null then
    if s.end_reason = 'cancelled' then
      s.end_reason := coalesce(was.end_reason, s.end_reason);
    end if;
    s.check_at := null;
    s.wanted := null;
  else
    if was.wants <> done_wants then
      s.cancel_at := was.cancel_at;
      s.end_reason := was.end_reason;
    else
      s.wanted := null;
      s.end_reason := case when s.cancel_at is not null then coalesce(was.end_reason, 'cancelled') end;
    end if;
    -- Another message came meanwhile.
    if was.check_at = claimed_until then
      s.check_at := next_check_at;
    end if;
  end if;
  update subscriptions set
    status = s.status, paid_through = s.paid_through, period_ends_at = s.period_ends_at, problem = s.problem, read_at = s.read_at,
    cancel_at = s.cancel_at, ended_at = s.ended_at, end_reason = s.end_reason, wanted = s.wanted, check_at = s.check_at, tries = 0
  where install_id = wanted_install returning * into s;
  perform tell_subscription(was, s, now_ms, by_system('stripe'));
  return true;
end $$;
