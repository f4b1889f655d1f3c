-- Up Migration
create table clusters (
  id text primary key,
  workspace_id text not null,
  name text not null,
  auto_scaling_enabled boolean not null default true,
  max_machines integer not null default 10 check (max_machines >= 1),
  -- Reported by the cluster; no part of the settings.
  machines integer not null default 0 check (machines >= 0),
  -- The etags of the settings as they are and as they were before the last change.
  etag text not null,
  previous_etag text,
  updated_at timestamptz not null
);
create index on clusters (workspace_id, id);

-- Down Migration
drop table clusters;
