-- Puts an event into the outbox, in the transaction of the change that it tells. `by`: actor, request_id and address.
create or replace function write_event(aggregate text, subject text, payload jsonb, by json, changes json) returns void
language sql volatile set search_path from current as $$
  insert into outbox (actor, request_id, address, changes, aggregate_id, subject, payload)
  values (by -> 'actor', by ->> 'request_id', by ->> 'address', changes, $1, $2, $3)
$$;
