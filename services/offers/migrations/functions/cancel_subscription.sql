-- For either side. `outcome`: done; not_found; no_subscription. What has ended or ends already stays as it is.
create or replace function cancel_subscription(
  acting_workspace text, wanted_install text, at_once boolean, now_ms bigint, by json, out outcome text
) language plpgsql set search_path from current as $$
begin
  outcome := subscription_of(acting_workspace, wanted_install);
  if outcome = 'done' then
    perform plan_end(wanted_install, at_once, 'cancelled', now_ms, by);
  end if;
end $$;
