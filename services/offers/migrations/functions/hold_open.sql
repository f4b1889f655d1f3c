-- Whether neither workspace is closed, which holds until the end of the transaction. Locked first, looked second.
create or replace function hold_open(seller text, customer text, now_ms bigint) returns boolean
language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock_shared(workspace_lock(w)) from unnest(array[seller, customer]) as w;
  return not exists (select from closed_workspaces c where c.workspace_id in (seller, customer) and c.until > now_ms);
end $$;
