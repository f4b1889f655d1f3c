-- compatible_from: 0.1.0
-- Clusters, their settings, and the secrets of their agents.

create table clusters (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  name text collate "C" not null,
  auto_scaling_enabled boolean not null default true,
  max_machines integer not null default 10 check (max_machines >= 1),
  -- Reported by the cluster; no part of the settings.
  machines integer not null default 0 check (machines >= 0),
  -- The etags of the settings as they are and as they were before the last change.
  etag text collate "C" not null,
  previous_etag text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null,
  -- When the cluster's agent last said how many machines there are.
  reported_at timestamptz,
  -- The Idempotency-Key that it was created with, and the hash of what was sent.
  creation_key text collate "C",
  creation_intent text collate "C",
  check (num_nulls(creation_key, creation_intent) in (0, 2))
)
-- Reports come every minute at least, and change nothing that an index has: there is room for them on the page.
with (fillfactor = 50);
create index on clusters (workspace_id, id);
create unique index on clusters (workspace_id, creation_key) where creation_key is not null;

-- The smallest and the largest number that was reported in an hour, for 30 days.
create table machine_counts (
  cluster_id text collate "C" not null references clusters (id) on delete cascade,
  -- When it began.
  hour timestamptz not null,
  least integer not null,
  most integer not null,
  primary key (cluster_id, hour)
) with (fillfactor = 70);

-- What was deleted is not created anew under its id: offers has closed it to orders for ever, and asks for its removal once
-- more where a deletion died.
create table retired_ids (
  id text collate "C" primary key
);

-- By what the agent of a cluster comes to the bus: one secret that is live, and one before it that still is for a while.
create table agent_secrets (
  -- SHA-256.
  hash bytea primary key,
  cluster_id text collate "C" not null references clusters (id) on delete cascade,
  created_at timestamptz not null,
  -- Null: the live one.
  expires_at timestamptz
);
create unique index on agent_secrets (cluster_id, (expires_at is null));

-- Events

-- Events that the service activity has yet to read, each written by the statement that makes the change. The sequence is drawn while
-- the row that changed is locked: of two changes of one aggregate the later one has the greater number.
create table outbox (
  sequence bigint generated always as identity primary key,
  -- The event's id is made of it and of `created_at`.
  id uuid not null default gen_random_uuid(),
  aggregate_id text collate "C" not null,
  subject text collate "C" not null check (subject ~ '^events\.[a-z_]+\.[a-z_]+$'),
  -- Written once and read once, as text.
  payload json not null,
  -- Who is behind it, by which request and from where: the address is for the audit log alone, and not in the stream.
  actor json,
  request_id text collate "C",
  address text collate "C",
  -- By field, before and after.
  changes json,
  created_at timestamptz not null default now()
) with (
  -- Every row goes soon after it came, so what counts is how many went and not which part of the table that is.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
);

-- Quotas

-- How many of each kind a workspace may have: the common number under '', which the service writes at its start, and those
-- of workspaces that the operator gave another one.
create table quota_limits (
  quota text collate "C" not null,
  workspace_id text collate "C" not null,
  most bigint not null check (most >= 0),
  primary key (quota, workspace_id)
);
