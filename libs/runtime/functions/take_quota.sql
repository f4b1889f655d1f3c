-- Refuses what is one too many: with SV002, and in the detail the quota and its number. One at a time of a workspace and a
-- kind, each with what the one before it committed: volatile, so that what is counted is as of after the lock.
create or replace function take_quota(wanted text, workspace text) returns void
language plpgsql volatile set search_path from current as $$
declare
  allowed bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('quota ' || wanted || ' ' || workspace, 0));
  select most into allowed from quota_limits
  where quota = wanted and workspace_id in (workspace, '') order by workspace_id desc limit 1;
  if not found then
    return;
  end if;
  if quota_use(wanted, workspace, allowed) > allowed then
    raise exception 'quota %', wanted using errcode = 'SV002',
      detail = json_build_object('quota', wanted, 'most', allowed)::text;
  end if;
end $$;
