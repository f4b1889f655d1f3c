-- Up Migration

-- Events that are not in the stream yet, each written by the statement that makes the change it tells. The sequence is
-- drawn while the row that changed is locked: of two changes of one aggregate the later one has the greater number.
create table outbox (
  sequence bigint generated always as identity primary key,
  -- The relay makes the event's id of it and of `created_at`.
  id uuid not null default gen_random_uuid(),
  aggregate_id text not null,
  subject text not null check (subject ~ '^events\.[a-z_]+\.[a-z_]+$'),
  -- Written once and read once, as text.
  payload json not null,
  created_at timestamptz not null default now(),
  -- An event that the stream refuses for its own sake waits until then, and with it what follows in its aggregate.
  held_until timestamptz
) with (
  -- Every row goes soon after it came, so what counts is how many went and not which part of the table that is.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
);
create index on outbox (held_until) where held_until is not null;

-- One relay publishes at a time, so that order is kept.
create table outbox_lease (
  name text primary key check (name = 'relay'),
  holder text not null,
  until timestamptz not null
);
insert into outbox_lease (name, holder, until) values ('relay', '', '-infinity');

-- Down Migration
drop table outbox, outbox_lease;
