-- Of a person whose row is locked: all sessions but `kept`, and then the grants that would still open one. In the order of their
-- ids, as whoever writes last uses locks them. Returns how many ended; null where `kept` itself has ended, since who asks with it
-- is nobody any more. A caller without a session here has the person as `kept`, and ends all of them.
create or replace function end_other_sessions(person text, kept text, by json) returns bigint
language plpgsql volatile set search_path from current as $$
declare
  ended_count bigint;
begin
  if kept <> person and not exists (select from sessions s where s.id = kept and s.user_id = person) then
    return null;
  end if;
  with others as materialized (
    select s.id from sessions s where s.user_id = person and s.id <> kept order by s.id for update
  ), ended as (
    delete from sessions s using others where s.id = others.id returning s.id
  )
  insert into outbox (actor, request_id, address, aggregate_id, subject, payload)
  select by -> 'actor', by ->> 'request_id', by ->> 'address', id, 'events.sessions.ended',
    json_build_object('user_id', person)
  from ended;
  get diagnostics ended_count = row_count;
  delete from device_grants g where g.entered_by = person and g.consumed_at is null;
  delete from pending_sign_ins p where p.user_id = person;
  return ended_count;
end $$;
