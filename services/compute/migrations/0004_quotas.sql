-- Up Migration

-- How many of each kind a workspace may have: the common number under '', which the service writes at its start, and those
-- of workspaces that the operator gave another one.
create table quota_limits (
  quota text not null,
  workspace_id text not null,
  most bigint not null check (most >= 0),
  primary key (quota, workspace_id)
);

-- How many a workspace has; more than `most` are not counted.
create function quota_use(wanted text, workspace text, most bigint) returns bigint
language plpgsql stable set search_path from current as $$
declare
  used bigint;
begin
  if wanted = 'clusters' then
    select count(*) into used from (select from clusters where workspace_id = workspace limit most + 1) counted;
  end if;
  return used;
end $$;

-- After the row is there, one at a time of a workspace and a kind, each with what the one before it committed.
create function hold_quota() returns trigger language plpgsql volatile set search_path from current as $$
declare
  wanted text := tg_argv[0];
  workspace text := to_jsonb(new) ->> tg_argv[1];
  allowed bigint;
  used bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('quota ' || wanted || ' ' || workspace, 0));
  select most into allowed from quota_limits
  where quota = wanted and workspace_id in (workspace, '') order by workspace_id desc limit 1;
  if not found then
    return null;
  end if;
  used := quota_use(wanted, workspace, allowed);
  if used > allowed then
    raise exception 'quota %', wanted using errcode = 'SV002',
      detail = json_build_object('quota', wanted, 'most', allowed)::text;
  end if;
  return null;
end $$;
create trigger quota after insert on clusters for each row execute function hold_quota('clusters', 'workspace_id');

-- Down Migration
drop trigger quota on clusters;
drop function hold_quota, quota_use;
drop table quota_limits;
