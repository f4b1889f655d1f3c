-- Up Migration
-- Invited by address: a user who has not signed up has no password, and one whose address is not proven no
-- invitation that has taken effect.
alter table users alter password_hash drop not null;
alter table users add verified_at timestamptz;
-- Until now operators alone have made users, and vouched for them.
update users set verified_at = created_at;
alter table memberships add active boolean not null default true;
drop index memberships_workspace_id_idx;
create index on memberships (workspace_id, user_id);
create index on memberships (workspace_id) where role = 'owner' and active;

-- Whoever changes the members of a workspace locks its row first and asks these afterwards. They are volatile, so that
-- they see what was committed while their caller waited.
create function membership_now(workspace text, person text) returns table (role text, active boolean)
language plpgsql volatile as $$
begin
  return query
    select m.role, m.active from memberships m where m.workspace_id = workspace and m.user_id = person;
end $$;

create function another_owner(workspace text, person text) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from memberships m
    where m.workspace_id = workspace and m.role = 'owner' and m.active and m.user_id <> person
  );
end $$;

-- To be called with the person's row locked, as whoever invites them locks it.
create function take_up_invitations(person text) returns void language plpgsql volatile as $$
begin
  update memberships m set active = true where m.user_id = person and not m.active;
end $$;

-- Public clients of OAuth (RFC 6749, 2.1): none has a secret.
create table oauth_clients (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);
insert into oauth_clients (id, name) values ('svc-cli', 'svc command line');

-- Where a session was opened. Without a client: by a browser or an operator.
alter table sessions add client_id text references oauth_clients;
alter table sessions add address text;
alter table sessions add user_agent text;
drop index sessions_user_id_idx;
create index on sessions (user_id, id);
create index on sessions (expires_at);

-- Codes of RFC 8628 as SHA-256 alone. `entered_by`: who typed the user code first, and alone may decide.
create table device_grants (
  id text primary key,
  device_code_hash bytea not null unique check (octet_length(device_code_hash) = 32),
  user_code_hash bytea not null unique check (octet_length(user_code_hash) = 32),
  client_id text not null references oauth_clients,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  interval_seconds int not null,
  polled_at timestamptz,
  polled_too_soon boolean not null default false,
  entered_by text references users,
  decision text check (decision in ('approved', 'denied')),
  decided_at timestamptz,
  consumed_at timestamptz,
  check ((decision is null) = (decided_at is null)),
  check (consumed_at is null or decision = 'approved'),
  check (decision is null or entered_by is not null)
);
create index on device_grants (expires_at);
create index on device_grants (entered_by) where consumed_at is null;

-- Of a person whose row is locked. Grants that would still open a session go first: one that is being consumed is
-- waited for, and its session found.
create function end_sessions(person text) returns void language plpgsql volatile as $$
begin
  delete from device_grants g where g.entered_by = person and g.consumed_at is null;
  delete from sessions s where s.user_id = person;
end $$;

-- When something was tried, as far back as its limit looks.
create table attempts (
  bucket text primary key,
  times timestamptz[] not null,
  touched_at timestamptz not null
);
create index on attempts (touched_at);

-- Takes one of `most` attempts within any `span`: 0, or the seconds until the next one is free. The row is locked, so
-- of any number at once no more than `most` get through.
create function take_attempt(bucket_name text, most bigint, span interval, at timestamptz)
returns int language plpgsql volatile as $$
declare
  recent timestamptz[];
begin
  insert into attempts as a (bucket, times, touched_at) values (bucket_name, '{}', at)
  on conflict (bucket) do update set touched_at = greatest(a.touched_at, excluded.touched_at)
  returning array(select t from unnest(a.times) t where t > at - span order by t) into recent;
  if cardinality(recent) >= most then
    return greatest(1, ceil(extract(epoch from recent[cardinality(recent) - most + 1] + span - at)));
  end if;
  update attempts set times = recent || at where bucket = bucket_name;
  return 0;
end $$;

-- Gives back one attempt that was taken at that time.
create function return_attempt(bucket_name text, at timestamptz) returns void language sql volatile as $$
  update attempts set times = times[:array_position(times, at) - 1] || times[array_position(times, at) + 1:]
  where bucket = bucket_name and array_position(times, at) is not null
$$;

-- Takes one attempt of every bucket or of none: 0, or the seconds until there is one in all of them.
create function take_attempts(buckets text[], most bigint[], span interval, at timestamptz)
returns int language plpgsql volatile as $$
declare
  seconds int;
begin
  for place in 1 .. cardinality(buckets) loop
    seconds := take_attempt(buckets[place], most[place], span, at);
    if seconds > 0 then
      for taken in 1 .. place - 1 loop
        perform return_attempt(buckets[taken], at);
      end loop;
      return seconds;
    end if;
  end loop;
  return 0;
end $$;

-- Forgets all attempts of a bucket.
create function forget_attempts(bucket_name text) returns void language sql volatile as $$
  update attempts set times = '{}' where bucket = bucket_name
$$;

-- Links that prove an address.
create table verifications (
  hash bytea primary key check (octet_length(hash) = 32),
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on verifications (email);
create index on verifications (expires_at);

-- Mail to be sent. The secret of its link is made when it is sent, so that none is stored.
create table messages (
  id text primary key,
  kind text not null check (kind in ('verification', 'invitation')),
  email text not null,
  workspace_id text references workspaces,
  role text,
  invited_by text,
  created_at timestamptz not null,
  attempts int not null default 0,
  next_at timestamptz not null,
  check ((kind = 'invitation') = (workspace_id is not null and role is not null))
);
create index on messages (next_at);

-- Old secrets of rotated API tokens, in their period of grace.
create table retired_secrets (
  hash bytea primary key check (octet_length(hash) = 32),
  token_id text not null references api_tokens on delete cascade,
  expires_at timestamptz not null
);
create index on retired_secrets (token_id);
create index on retired_secrets (expires_at);

-- Volatile, so that it sees what rotations before this one have left.
create function end_retired_secrets(token text) returns void language plpgsql volatile as $$
begin
  delete from retired_secrets r where r.token_id = token;
end $$;

-- Keys that sign JWTs. `next` is published before it signs, `retired` until all that it signed has expired.
create table signing_keys (
  kid text primary key,
  state text not null check (state in ('next', 'active', 'retired')),
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  check ((state = 'retired') = (retired_at is not null))
);
create unique index on signing_keys (state) where state in ('next', 'active');
create index on signing_keys (retired_at);

-- Retires the active key, signs with the next one and puts a new next one in its place; or answers the seconds until
-- the next one has been known for long enough.
create function rotate_signing_keys(
  new_kid text, new_public jsonb, new_private jsonb, at timestamptz, known_for interval
) returns table (wait_seconds int, retired_kid text, active_kid text) language plpgsql volatile as $$
declare
  known_since timestamptz;
begin
  -- One change at a time: each sees what the one before it has left. Readers are not held up.
  lock table signing_keys in share row exclusive mode;
  select kid, created_at into strict active_kid, known_since from signing_keys where state = 'next';
  wait_seconds := greatest(0, ceil(extract(epoch from known_since + known_for - at)));
  if wait_seconds = 0 then
    -- In this order: there is one key of each of these states at most.
    update signing_keys set state = 'retired', retired_at = at where state = 'active' returning kid into retired_kid;
    update signing_keys set state = 'active' where kid = active_kid;
    insert into signing_keys (kid, state, public_jwk, private_jwk, created_at)
    values (new_kid, 'next', new_public, new_private, at);
  end if;
  return next;
end $$;

-- Removes a key that does not sign, and puts a new one in the place of the next one. Answers the state that the key
-- had, or has: nothing is done to the active one.
create function remove_signing_key(
  old_kid text, new_kid text, new_public jsonb, new_private jsonb, at timestamptz
) returns text language plpgsql volatile as $$
declare
  old_state text;
begin
  lock table signing_keys in share row exclusive mode;
  select state into old_state from signing_keys where kid = old_kid;
  delete from signing_keys where kid = old_kid and state <> 'active';
  if old_state = 'next' then
    insert into signing_keys (kid, state, public_jwk, private_jwk, created_at)
    values (new_kid, 'next', new_public, new_private, at);
  end if;
  return old_state;
end $$;

-- Down Migration
drop table signing_keys, retired_secrets, messages, verifications, device_grants, attempts;
drop function rotate_signing_keys, remove_signing_key;
drop function take_attempts, take_attempt, return_attempt, forget_attempts;
drop function membership_now, another_owner, take_up_invitations, end_sessions, end_retired_secrets;
drop index sessions_user_id_id_idx, sessions_expires_at_idx;
create index on sessions (user_id);
drop index memberships_workspace_id_user_id_idx, memberships_workspace_id_idx;
create index on memberships (workspace_id);
alter table sessions drop client_id, drop address, drop user_agent;
drop table oauth_clients;
alter table memberships drop active;
alter table users drop verified_at;
delete from memberships where user_id in (select id from users where password_hash is null);
update users set password_hash = '' where password_hash is null;
alter table users alter password_hash set not null;
