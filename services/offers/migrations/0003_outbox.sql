-- Up Migration
-- A TypeID: a UUIDv7 (RFC 9562) in Crockford's base 32. Number and variant are in gen_random_uuid() already.
create function new_event_id() returns text language sql volatile as $$
  select 'evt_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from 5 * place + 1 for 5)::int + 1, 1), '' order by place
  )
  from (
    select B'00' || floor(extract(epoch from clock_timestamp()) * 1000)::bigint::bit(48) || B'0111'
      || substring(('x' || replace(gen_random_uuid()::text, '-', ''))::bit(128) from 53) as bits
  ) as uuid, generate_series(0, 25) as place
$$;

-- Events that are not in the stream yet, each written by the statement that makes the change it tells. The sequence is
-- drawn while the row that changed is locked: of two changes of one aggregate the later one has the greater number.
create table outbox (
  sequence bigint generated always as identity primary key,
  id text not null default new_event_id(),
  aggregate_id text not null,
  subject text not null check (subject ~ '^events\.[a-z_]+\.[a-z_]+$'),
  payload jsonb not null,
  created_at timestamptz not null default now(),
  -- An event that the stream refuses for its own sake waits until then, and with it what follows in its aggregate.
  held_until timestamptz
);
create index on outbox (aggregate_id, sequence) where held_until is not null;

-- One relay publishes at a time, so that order is kept.
create table outbox_lease (
  name text primary key check (name = 'relay'),
  holder text not null,
  until timestamptz not null
);
insert into outbox_lease (name, holder, until) values ('relay', '', '-infinity');

-- Down Migration
drop table outbox, outbox_lease;
drop function new_event_id;
