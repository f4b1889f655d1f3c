-- Puts an event into the outbox, in the transaction of the change that it tells.
create or replace function write_event(aggregate text, subject text, payload jsonb) returns void
language sql volatile set search_path from current as $$
  insert into outbox (aggregate_id, subject, payload) values ($1, $2, $3)
$$;
