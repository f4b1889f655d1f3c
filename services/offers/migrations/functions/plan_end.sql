-- Plans the end of a live subscription at the end of its period, or `at_once`. At Stripe the loop does it.
create or replace function plan_end(wanted_install text, at_once boolean, reason text, now_ms bigint, by json) returns void
language plpgsql set search_path from current as $$
declare
  was subscriptions;
  s subscriptions;
begin
  select * into was from subscriptions where install_id = wanted_install for no key update;
  if not found or subscription_state(was, now_ms) = 'ended'
    or was.cancel_at is not null and (not at_once or was.wanted = 'cancel_now') then
    return;
  end if;
  update subscriptions set
    cancel_at = greatest(now_ms / 1000, case when not at_once then coalesce(
      period_ends_at, paid_through, (
        select period_end(was.first_paid_at, f.terms #>> '{price,interval}', now_ms / 1000)
        from installs i join offers f on f.id = i.offer_id where i.id = wanted_install
      )
    ) end),
    end_reason = reason,
    wanted = case when provider = 'stripe' then case when at_once then 'cancel_now' else 'cancel_at_period_end' end end,
    wants = wants + 1, tries = 0, check_at = case when provider = 'stripe' then now_ms end
  where install_id = wanted_install returning * into s;
  perform tell_subscription(was, s, now_ms, by);
end $$;
