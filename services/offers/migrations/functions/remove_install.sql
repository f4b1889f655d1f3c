-- For the workspace that owns it. Its record stays, with the time of the first removal, and the seat stays redeemed. What is paid for it
-- ends with its period, unless it is to be kept.
create or replace function remove_install(
  wanted_workspace text, wanted text, keep_subscription boolean, now_ms bigint, by json
) returns setof installs
language plpgsql set search_path from current as $$
declare
  i installs;
  was text;
begin
  select * into i from installs where customer_workspace_id = wanted_workspace and id = wanted for no key update;
  if not found then
    return;
  end if;
  if i.removed_at is null then
    was := i.state;
    update installs set state = 'removed', removed_at = to_timestamp(now_ms / 1000.0) where id = wanted returning * into i;
    perform write_event(wanted, 'events.installs.removed', jsonb_build_object(
      'workspace_id', i.workspace_id, 'customer_workspace_id', i.customer_workspace_id, 'offer_id', i.offer_id,
      'order_id', i.order_id, 'cluster_id', i.cluster_id
    ), by, changes_of(jsonb_build_object('state', was), jsonb_build_object('state', i.state)));
    if not keep_subscription then
      perform plan_end(wanted, false, 'removed', now_ms, by);
    end if;
  end if;
  return next i;
end $$;
