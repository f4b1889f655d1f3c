-- Of a person whose row is locked, as by whoever opens a session: one that a device is about to get was opened before, or is not.
-- After the sessions, with which what they approved goes, the grants that wait for a decision. Known browsers go, too: a new
-- password is what somebody sets who fears that another has one of them.
create or replace function end_sessions(person text, by json) returns void
language plpgsql volatile set search_path from current as $$
begin
  with ended as (
    delete from sessions s where s.user_id = person returning s.id
  )
  insert into outbox (actor, request_id, address, aggregate_id, subject, payload)
  select by -> 'actor', by ->> 'request_id', by ->> 'address', id, 'events.sessions.ended',
    json_build_object('user_id', person)
  from ended;
  delete from device_grants g where g.entered_by = person and g.consumed_at is null;
  delete from pending_sign_ins p where p.user_id = person;
  delete from known_browsers k where k.user_id = person;
end $$;
