-- From its reply on no install starts from the offer. Orders that are under way end with it: so many are written down
-- at once that it takes no long time, and others, which there may be without a limit, by and by.
create or replace function revoke_offer(wanted_workspace text, wanted text, now_ms bigint, by json) returns setof offers
language plpgsql set search_path from current as $$
declare
  o offers;
begin
  select * into o from offers where workspace_id = wanted_workspace and id = wanted for no key update;
  if not found then
    return;
  end if;
  if o.revoked_at is null then
    update offers set revoked_at = to_timestamp(now_ms / 1000.0), cancelling = true where id = wanted returning * into o;
    perform write_event(
      wanted, 'events.offers.revoked', jsonb_build_object('workspace_id', wanted_workspace), by, null
    );
    perform cancel_orders_of(wanted, 1000, now_ms);
  end if;
  return next o;
end $$;
