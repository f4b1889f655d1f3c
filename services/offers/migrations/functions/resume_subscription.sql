-- Takes back a planned end, for either side. `outcome`: done; not_found; no_subscription; else the state, from which that is not possible.
create or replace function resume_subscription(
  acting_workspace text, wanted_install text, now_ms bigint, by json, out outcome text
) language plpgsql set search_path from current as $$
declare
  was subscriptions;
  s subscriptions;
begin
  outcome := subscription_of(acting_workspace, wanted_install);
  if outcome <> 'done' then
    return;
  end if;
  select * into was from subscriptions where install_id = wanted_install for no key update;
  if subscription_state(was, now_ms) = 'ended' or was.cancel_at * 1000 <= now_ms then
    outcome := subscription_state(was, now_ms);
    return;
  end if;
  if was.cancel_at is not null then
    update subscriptions set
      cancel_at = null, end_reason = null, wanted = case when provider = 'stripe' then 'resume' end, wants = wants + 1, tries = 0,
      check_at = case when provider = 'stripe' then now_ms end
    where install_id = wanted_install returning * into s;
    perform tell_subscription(was, s, now_ms, by);
  end if;
end $$;
