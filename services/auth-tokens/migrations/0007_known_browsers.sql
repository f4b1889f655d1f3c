-- Up Migration

-- Browsers that a person has signed in with, each by the SHA-256 of an id that it keeps in a cookie for this account alone. The
-- passwords that are tried there are counted apart: who tries them elsewhere does not keep the person out.
create table known_browsers (
  hash bytea primary key check (octet_length(hash) = 32),
  user_id text not null references users,
  seen_at timestamptz not null
);
create index on known_browsers (user_id, seen_at);
create index on known_browsers (seen_at);

-- Of a person whose row is locked: keeps the newest `most`.
create function remember_browser(person text, browser bytea, at timestamptz, most bigint) returns void
language plpgsql volatile as $$
begin
  insert into known_browsers as k (hash, user_id, seen_at) values (browser, person, at)
  on conflict (hash) do update set seen_at = greatest(k.seen_at, excluded.seen_at);
  delete from known_browsers k where k.hash = any (array(
    select n.hash from known_browsers n where n.user_id = person order by n.seen_at desc, n.hash offset most
  ));
end $$;

-- A new password is what somebody sets who fears that another has one of these browsers, too.
create or replace function end_sessions(person text) returns void language plpgsql volatile as $$
begin
  delete from device_grants g where g.entered_by = person and g.consumed_at is null;
  delete from sessions s where s.user_id = person;
  delete from known_browsers k where k.user_id = person;
end $$;

-- Down Migration
create or replace function end_sessions(person text) returns void language plpgsql volatile as $$
begin
  delete from device_grants g where g.entered_by = person and g.consumed_at is null;
  delete from sessions s where s.user_id = person;
end $$;
drop function remember_browser;
drop table known_browsers;
