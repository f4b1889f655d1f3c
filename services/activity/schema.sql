-- The schema as the files of migrations/ make it. Written by `npm run schema`, which a test compares: change those files.

create table events (
  position bigint not null,
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  type text collate "C" not null,
  aggregate_id text collate "C" not null,
  sequence bigint not null,
  created_at timestamptz not null,
  data json not null,
  actor json,
  actor_id text collate "C",
  credential_id text collate "C",
  request_id text collate "C",
  address text collate "C",
  changes json,
  audit_only boolean not null
) partition by range (created_at);
create unique index events_workspace_id_id_created_at_idx on events (workspace_id, id, created_at);
create index events_workspace_id_position_created_at_idx on events (workspace_id, "position", created_at);
create index events_position_idx on events ("position");
create index events_workspace_id_type_position_idx on events (workspace_id, type, "position");
create index events_workspace_id_aggregate_id_position_idx on events (workspace_id, aggregate_id, "position");
create index events_workspace_id_actor_id_position_idx on events (workspace_id, actor_id, "position") where actor_id is not null;
create index events_workspace_id_credential_id_position_idx on events (workspace_id, credential_id, "position") where credential_id is not null;

create table event_counts (
  workspace_id text collate "C" not null,
  type text collate "C" not null,
  day date not null,
  count bigint not null,
  primary key (workspace_id, type, day)
) with (fillfactor=70);
create index event_counts_day_idx on event_counts (day);

create table last_position (
  only_row boolean not null default true primary key,
  position bigint not null default 0,
  timeline text collate "C" not null default '',
  check (only_row)
);

create table members (
  user_id text collate "C" not null,
  workspace_id text collate "C" not null,
  since bigint not null,
  until bigint,
  sequence bigint not null,
  primary key (user_id, workspace_id)
);

create table sources (
  name text collate "C" primary key,
  holder text collate "C" not null,
  until timestamptz not null
);

create table webhook_endpoints (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  url text collate "C" not null,
  event_types jsonb not null,
  description text collate "C" not null,
  state text collate "C" not null default 'active',
  disabled_reason text collate "C",
  secret text collate "C" not null,
  previous_secret text collate "C",
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null,
  created_by text collate "C" not null,
  creation_key text collate "C",
  creation_intent text collate "C",
  position bigint not null,
  due_at timestamptz not null,
  woken boolean not null default false,
  held_until timestamptz not null default '1970-01-01 00:00:00+00' with time zone,
  turn bigint not null default 0,
  holder text collate "C",
  rest_until timestamptz,
  is_full boolean not null default false,
  failing_since timestamptz,
  last_delivered_at timestamptz,
  slow boolean not null default false,
  mail text collate "C",
  warned boolean not null default false,
  check ((state = 'disabled') = (disabled_reason is not null)),
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  check (disabled_reason in ('failing', 'gone')),
  check (mail in ('failing', 'disabled')),
  check (state in ('active', 'paused', 'disabled'))
);
create index webhook_endpoints_workspace_id_id_idx on webhook_endpoints (workspace_id, id);
create unique index webhook_endpoints_workspace_id_creation_key_idx on webhook_endpoints (workspace_id, creation_key) where creation_key is not null;
create index webhook_endpoints_due_at_idx on webhook_endpoints (due_at) where failing_since is null and not slow;
create index webhook_endpoints_due_at_idx1 on webhook_endpoints (due_at) where failing_since is not null or slow;
create index webhook_endpoints_id_idx on webhook_endpoints (id) where mail is not null;
create index webhook_endpoints_holder_idx on webhook_endpoints (holder) where holder is not null;
create trigger quota after insert on webhook_endpoints for each row execute function hold_quota('webhook_endpoints', 'workspace_id');

create table webhook_senders (
  id text collate "C" primary key,
  until timestamptz not null
);
create index webhook_senders_until_idx on webhook_senders (until);

create table webhook_deliveries (
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  position bigint not null,
  type text collate "C" not null,
  aggregate_id text collate "C" not null,
  body text collate "C" not null,
  state text collate "C" not null default 'pending',
  event_created_at timestamptz not null,
  next_at timestamptz not null,
  asked_at timestamptz,
  step integer not null default 0,
  strikes integer not null default 0,
  first_failed_at timestamptz,
  last_attempt_at timestamptz,
  attempts jsonb not null default '[]',
  answer text collate "C",
  created_at timestamptz not null,
  primary key (endpoint_id, event_id),
  check (state in ('pending', 'delivered', 'failed'))
);
create index webhook_deliveries_endpoint_id_state_event_id_idx on webhook_deliveries (endpoint_id, state, event_id);
create index webhook_deliveries_endpoint_id_position_idx on webhook_deliveries (endpoint_id, "position") where state = 'pending' or asked_at is not null;
create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at) where state <> 'pending' and asked_at is null;
create index webhook_deliveries_endpoint_id_event_id_idx on webhook_deliveries (endpoint_id, event_id) where "position" = 0;
create index webhook_deliveries_last_attempt_at_idx on webhook_deliveries (last_attempt_at) where answer is not null;

create table deleted_webhook_endpoints (
  id text collate "C" primary key
);

create table webhook_wakes (
  only_row boolean not null default true primary key,
  position bigint not null default 0,
  check (only_row)
);

create table stream_position (
  only_row boolean not null default true primary key,
  position bigint not null default 0,
  check (only_row)
);

create table mail_position (
  only_row boolean not null default true primary key,
  position bigint not null default 0,
  check (only_row)
);

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

create function changes_of(before jsonb, after jsonb) returns json language sql immutable;
create function hold_quota() returns trigger language plpgsql volatile;
create function make_partition(partition text, since timestamptz, until timestamptz) returns void language plpgsql volatile;
create function quota_use(wanted text, workspace text, most bigint) returns bigint language plpgsql stable;
create function remove_partition(partition text) returns void language plpgsql volatile;
create function take_quota(wanted text, workspace text) returns void language plpgsql volatile;
create function unix_seconds(at timestamptz) returns bigint language sql stable;
