-- Of a person whose row is locked: keeps the session `opened` and, of the others, those that were used last, `most` in all. What
-- more there is at once goes with the next. In the order of their ids, as whoever writes last uses locks them. Returns the person
-- where any ended.
create or replace function end_surplus_sessions(person text, opened text, at timestamptz, most bigint) returns text
language plpgsql volatile set search_path from current as $$
begin
  with surplus as materialized (
    select s.id from sessions s
    where s.id = any (array(
      select o.id from sessions o where o.user_id = person and o.id <> opened
      order by o.expires_at > at desc, greatest(o.created_at, o.last_used_at) desc, o.id desc
      offset most - 1 limit 1000
    ))
    order by s.id for update
  ), ended as (
    delete from sessions s using surplus where s.id = surplus.id returning s.id
  )
  insert into outbox (actor, aggregate_id, subject, payload)
  select by_system('end_surplus_sessions') -> 'actor', id, 'events.sessions.ended', json_build_object('user_id', person)
  from ended;
  return case when found then person end;
end $$;
