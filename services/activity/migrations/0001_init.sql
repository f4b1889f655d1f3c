-- compatible_from: 0.1.0
-- What happened, as the outboxes of the services told it, and where it is sent.

-- One row for each workspace that an event concerns: of an order's these are two. Partitions by month are made ahead of time by
-- the service, and removed as a whole.
create table events (
  -- In the order in which they are kept, which is also the order in which they are committed: whoever has read up to a position
  -- has missed nothing before it. Gaps mean nothing.
  position bigint not null,
  -- '': it concerns none.
  workspace_id text collate "C" not null,
  -- evt_…
  id text collate "C" not null,
  type text collate "C" not null,
  aggregate_id text collate "C" not null,
  sequence bigint not null,
  created_at timestamptz not null,
  data json not null,
  -- As this workspace may see it.
  actor json,
  actor_id text collate "C",
  credential_id text collate "C",
  request_id text collate "C",
  address text collate "C",
  changes json,
  -- Of no concern to members: sign-ins, refusals, the operator's commands.
  audit_only boolean not null
) partition by range (created_at);
-- What is read twice is kept once.
create unique index on events (workspace_id, id, created_at);
create index on events (workspace_id, position, created_at);
-- What is new, in all workspaces.
create index on events (position);
create index on events (workspace_id, type, position);
create index on events (workspace_id, aggregate_id, position);
create index on events (workspace_id, actor_id, position) where actor_id is not null;
create index on events (workspace_id, credential_id, position) where credential_id is not null;

-- How many of them there were on each day (UTC), without what is for the audit log alone. Counted by the statement that keeps
-- them: a workspace may have millions in a month, and each chart would count these anew. No index has `count`, so that a row can be
-- changed on its page.
create table event_counts (
  workspace_id text collate "C" not null,
  type text collate "C" not null,
  day date not null,
  count bigint not null,
  primary key (workspace_id, type, day)
) with (fillfactor = 70);
create index on event_counts (day);

-- The position given last. Its row is locked until what has the positions is committed.
create table last_position (
  only_row boolean primary key default true check (only_row),
  position bigint not null default 0,
  -- Of the database's log: after a failover positions that were given may be lost, so a new timeline goes on far above.
  timeline text collate "C" not null default ''
);
insert into last_position default values;

-- Who is a member where, as the events say: those of a person concern the workspaces that they are in at that time. Times are the
-- numbers of events, as both are in the same outbox.
create table members (
  user_id text collate "C" not null,
  workspace_id text collate "C" not null,
  since bigint not null,
  -- Null: they are a member.
  until bigint,
  -- Of the last event that says so.
  sequence bigint not null,
  primary key (user_id, workspace_id)
);

-- Work that one replica at a time does: to read the outbox of a service, by its name; `stream`, to publish; `mail`.
create table sources (
  name text collate "C" primary key,
  holder text collate "C" not null,
  until timestamptz not null
);

-- Webhooks

create table webhook_endpoints (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  url text collate "C" not null,
  event_types jsonb not null,
  description text collate "C" not null,
  state text collate "C" not null default 'active' check (state in ('active', 'paused', 'disabled')),
  disabled_reason text collate "C" check (disabled_reason in ('failing', 'gone')),
  -- Sealed; the one before it signs as well for a while.
  secret text collate "C" not null,
  previous_secret text collate "C",
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null,
  -- The person: of the places for sending nobody has too many.
  created_by text collate "C" not null,
  -- The Idempotency-Key that it was created with, and the hash of what was sent.
  creation_key text collate "C",
  creation_intent text collate "C",

  -- Every event up to it is a delivery, or not wanted.
  position bigint not null,
  -- When somebody has to look at it again. `woken`: since it was last looked at there is something new.
  due_at timestamptz not null,
  woken boolean not null default false,
  -- One replica sends at a time: by the clock of the database, as replicas agree on no other. Each time it is another `turn`.
  held_until timestamptz not null default 'epoch',
  turn bigint not null default 0,
  -- Of `webhook_senders`, while it is held.
  holder text collate "C",

  -- The endpoint asked for no requests until then.
  rest_until timestamptz,
  -- As many deliveries wait as may: what is new waits for them.
  is_full boolean not null default false,

  -- Since the last success.
  failing_since timestamptz,
  last_delivered_at timestamptz,
  -- The last attempt was answered slowly, or not in time, whoever asked for it: until one is, it is sent to beside those that fail.
  slow boolean not null default false,
  -- Of the mail that is still to be asked for.
  mail text collate "C" check (mail in ('failing', 'disabled')),
  -- The first day's was asked for, or is to be.
  warned boolean not null default false,
  check ((state = 'disabled') = (disabled_reason is not null)),
  check (num_nulls(creation_key, creation_intent) in (0, 2))
);
create index on webhook_endpoints (workspace_id, id);
create unique index on webhook_endpoints (workspace_id, creation_key) where creation_key is not null;
-- Those that fail are looked at beside the others.
create index on webhook_endpoints (due_at) where failing_since is null and not slow;
create index on webhook_endpoints (due_at) where failing_since is not null or slow;
create index on webhook_endpoints (id) where mail is not null;
create index on webhook_endpoints (holder) where holder is not null;

-- Processes that send, each as long as it says so.
create table webhook_senders (
  id text collate "C" primary key,
  until timestamptz not null
);
create index on webhook_senders (until);

-- What is to be sent or was sent to an endpoint.
create table webhook_deliveries (
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  -- Of the event; 0: a test.
  position bigint not null,
  type text collate "C" not null,
  aggregate_id text collate "C" not null,
  -- As it is sent each time.
  body text collate "C" not null,
  state text collate "C" not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  event_created_at timestamptz not null,
  next_at timestamptz not null,
  -- Somebody asked for one attempt: it says nothing of the endpoint's health, and no other one follows.
  asked_at timestamptz,
  -- How many of the schedule's pauses are over.
  step int not null default 0,
  -- Failures while the endpoint took other events.
  strikes int not null default 0,
  first_failed_at timestamptz,
  last_attempt_at timestamptz,
  attempts jsonb not null default '[]',
  -- Sealed: the beginning of the answer to the last attempt.
  answer text collate "C",
  created_at timestamptz not null,
  primary key (endpoint_id, event_id)
);
create index on webhook_deliveries (endpoint_id, state, event_id);
create index on webhook_deliveries (endpoint_id, position) where state = 'pending' or asked_at is not null;
create index on webhook_deliveries (created_at) where state <> 'pending' and asked_at is null;
create index on webhook_deliveries (endpoint_id, event_id) where position = 0;
create index on webhook_deliveries (last_attempt_at) where answer is not null;

-- Endpoints that were deleted, until their deliveries are: these may be too many for one statement.
create table deleted_webhook_endpoints (
  id text collate "C" primary key
);

-- Up to which event the endpoints that want it were woken.
create table webhook_wakes (
  only_row boolean primary key default true check (only_row),
  position bigint not null default 0
);
insert into webhook_wakes default values;

-- Stream

-- Up to which event the stream has them.
create table stream_position (
  only_row boolean primary key default true check (only_row),
  position bigint not null default 0
);
insert into stream_position default values;

-- Mail

-- Up to which event mail was asked for.
create table mail_position (
  only_row boolean primary key default true check (only_row),
  position bigint not null default 0
);
insert into mail_position default values;

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
