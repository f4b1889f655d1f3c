-- The schema as the files of migrations/ make it. Written by `npm run schema`, which a test compares: change those files.

create table clusters (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  name text collate "C" not null,
  auto_scaling_enabled boolean not null default true,
  max_machines integer not null default 10,
  machines integer not null default 0,
  etag text collate "C" not null,
  previous_etag text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null,
  reported_at timestamptz,
  creation_key text collate "C",
  creation_intent text collate "C",
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  check (machines >= 0),
  check (max_machines >= 1)
) with (fillfactor=50);
create index clusters_workspace_id_id_idx on clusters (workspace_id, id);
create unique index clusters_workspace_id_creation_key_idx on clusters (workspace_id, creation_key) where creation_key is not null;
create trigger quota after insert on clusters for each row execute function hold_quota('clusters', 'workspace_id');
create trigger retired after insert on clusters for each row execute function refuse_retired();

create table machine_counts (
  cluster_id text collate "C" not null references clusters(id) on delete cascade,
  hour timestamptz not null,
  least integer not null,
  most integer not null,
  primary key (cluster_id, hour)
) with (fillfactor=70);

create table retired_ids (
  id text collate "C" primary key
);

create table agent_secrets (
  hash bytea primary key,
  cluster_id text collate "C" not null references clusters(id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz
);
create unique index agent_secrets_cluster_id_expr_idx on agent_secrets (cluster_id, (expires_at is null));

create table outbox (
  sequence bigint not null generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  aggregate_id text collate "C" not null,
  subject text collate "C" not null,
  payload json not null,
  actor json,
  request_id text collate "C",
  address text collate "C",
  changes json,
  created_at timestamptz not null default now(),
  check (subject ~ '^events\.[a-z_]+\.[a-z_]+$')
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_cost_delay=0);

create table quota_limits (
  quota text collate "C" not null,
  workspace_id text collate "C" not null,
  most bigint not null,
  primary key (quota, workspace_id),
  check (most >= 0)
);

create function admits_agent(of_cluster text, key text, at timestamptz) returns boolean language sql stable;
create function changes_of(before jsonb, after jsonb) returns json language sql immutable;
create function hold_quota() returns trigger language plpgsql volatile;
create function put_agent_secret(of_workspace text, of_cluster text, new_hash bytea, at timestamptz, grace_ends timestamptz) returns table(previous_expires_at timestamptz) language plpgsql volatile;
create function quota_use(wanted text, workspace text, most bigint) returns bigint language plpgsql stable;
create function refuse_retired() returns trigger language plpgsql volatile;
create function take_quota(wanted text, workspace text) returns void language plpgsql volatile;
create function unix_seconds(at timestamptz) returns bigint language sql stable;
create function write_event(aggregate text, subject text, payload jsonb, by json, changes json) returns void language sql volatile;
