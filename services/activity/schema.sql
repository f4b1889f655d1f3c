-- The schema as the files of migrations/ make it. Written by `npm run schema`, which a test compares: change those files.

create table events (
  position bigint not null,
  workspace_id text not null,
  id text not null,
  type text not null,
  aggregate_id text not null,
  sequence bigint not null,
  created_at timestamptz not null,
  data json not null,
  actor json,
  actor_id text,
  credential_id text,
  request_id text,
  address text,
  changes json,
  audit_only boolean not null
) partition by range (created_at);
create unique index events_workspace_id_id_created_at_idx on events (workspace_id, id, created_at);
create index events_workspace_id_position_created_at_idx on events (workspace_id, "position", created_at);
create index events_workspace_id_type_position_idx on events (workspace_id, type, "position");
create index events_workspace_id_aggregate_id_position_idx on events (workspace_id, aggregate_id, "position");
create index events_workspace_id_actor_id_position_idx on events (workspace_id, actor_id, "position") where actor_id is not null;
create index events_workspace_id_credential_id_position_idx on events (workspace_id, credential_id, "position") where credential_id is not null;

create table last_position (
  only_row boolean not null default true primary key,
  position bigint not null default 0,
  timeline text not null default '',
  check (only_row)
);

create table members (
  user_id text not null,
  workspace_id text not null,
  since bigint not null,
  until bigint,
  sequence bigint not null,
  primary key (user_id, workspace_id)
);

create table sources (
  name text primary key,
  holder text not null,
  until timestamptz not null
);

create function make_partition(partition text, since timestamptz, until timestamptz) returns void language plpgsql volatile;
create function remove_partition(partition text) returns void language plpgsql volatile;
create function unix_seconds(at timestamptz) returns bigint language sql stable;
