-- Of a person whose row is locked: keeps the newest `most`.
create or replace function remember_browser(person text, browser bytea, at timestamptz, most bigint) returns void
language plpgsql volatile as $$
begin
  insert into known_browsers as k (hash, user_id, seen_at) values (browser, person, at)
  on conflict (hash) do update set seen_at = greatest(k.seen_at, excluded.seen_at);
  delete from known_browsers k where k.hash = any (array(
    select n.hash from known_browsers n where n.user_id = person order by n.seen_at desc, n.hash offset most
  ));
end $$;
