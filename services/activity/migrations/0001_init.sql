-- compatible_from: 0.1.0
-- What happened, as the outboxes of the other services told it.

-- One row for each workspace that an event concerns: of an order's these are two. Partitions by month are made ahead of time by
-- the service, and removed as a whole.
create table events (
  -- In the order in which they are kept, which is also the order in which they are committed: whoever has read up to a position
  -- has missed nothing before it. Gaps mean nothing.
  position bigint not null,
  -- '': it concerns none.
  workspace_id text not null,
  -- evt_…
  id text not null,
  type text not null,
  aggregate_id text not null,
  sequence bigint not null,
  created_at timestamptz not null,
  data json not null,
  -- As this workspace may see it.
  actor json,
  actor_id text,
  credential_id text,
  request_id text,
  address text,
  changes json,
  -- Of no concern to members: sign-ins, refusals, the operator's commands.
  audit_only boolean not null
) partition by range (created_at);
-- What is read twice is kept once.
create unique index on events (workspace_id, id, created_at);
create index on events (workspace_id, position, created_at);
create index on events (workspace_id, type, position);
create index on events (workspace_id, aggregate_id, position);
create index on events (workspace_id, actor_id, position) where actor_id is not null;
create index on events (workspace_id, credential_id, position) where credential_id is not null;

-- The position given last. Its row is locked until what has the positions is committed.
create table last_position (
  only_row boolean primary key default true check (only_row),
  position bigint not null default 0,
  -- Of the database's log: after a failover positions that were given may be lost, so a new timeline goes on far above.
  timeline text not null default ''
);
insert into last_position default values;

-- Who is a member where, as the events say: those of a person concern the workspaces that they are in at that time. Times are the
-- numbers of events, as both are in the same outbox.
create table members (
  user_id text not null,
  workspace_id text not null,
  since bigint not null,
  -- Null: they are a member.
  until bigint,
  -- Of the last event that says so.
  sequence bigint not null,
  primary key (user_id, workspace_id)
);

-- Services whose outboxes are read, each by one replica at a time.
create table sources (
  name text primary key,
  holder text not null,
  until timestamptz not null
);
