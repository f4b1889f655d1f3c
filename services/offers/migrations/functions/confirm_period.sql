-- A payment that the seller got: to the next end of a period, or to `until`. `outcome`: done; not_found; no_subscription; paid_elsewhere;
-- ending; outdated (`seen` is not where it was paid to); not_later; else the state.
create or replace function confirm_period(
  acting_workspace text, wanted_install text, seen bigint, until bigint, now_ms bigint, by json, out outcome text
) language plpgsql set search_path from current as $$
declare
  was subscriptions;
  s subscriptions;
begin
  outcome := case
    when exists (select from installs i where i.id = wanted_install and i.workspace_id = acting_workspace)
    then subscription_of(acting_workspace, wanted_install) else 'not_found'
  end;
  if outcome <> 'done' then
    return;
  end if;
  select * into was from subscriptions where install_id = wanted_install for no key update;
  outcome := case
    when was.provider <> 'manual' then 'paid_elsewhere'
    when was.confirmed_after = coalesce(seen, 0) then 'done'
    when subscription_state(was, now_ms) = 'ended' then 'ended'
    when was.paid_through is distinct from seen then 'outdated'
    when was.cancel_at is not null then 'ending'
    when until <= coalesce(seen, was.first_paid_at) then 'not_later'
    else 'confirmed'
  end;
  if outcome <> 'confirmed' then
    return;
  end if;
  update subscriptions set
    paid_through = coalesce(until, (
      select period_end(was.first_paid_at, f.terms #>> '{price,interval}', coalesce(seen, now_ms / 1000))
      from installs i join offers f on f.id = i.offer_id where i.id = wanted_install
    )),
    confirmed_after = coalesce(seen, 0)
  where install_id = wanted_install returning * into s;
  perform tell_subscription(was, s, now_ms, by);
  outcome := 'done';
end $$;
