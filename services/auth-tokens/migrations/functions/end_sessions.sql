-- Of a person whose row is locked. Grants that would still open a session go first: one that is being consumed is waited for,
-- and its session found. Known browsers go, too: a new password is what somebody sets who fears that another has one of them.
create or replace function end_sessions(person text) returns void language plpgsql volatile as $$
begin
  delete from device_grants g where g.entered_by = person and g.consumed_at is null;
  delete from sessions s where s.user_id = person;
  delete from known_browsers k where k.user_id = person;
end $$;
