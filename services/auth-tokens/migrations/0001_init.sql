-- Up Migration
create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  password_hash text not null,
  created_at timestamptz not null default now()
);

create table workspaces (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table memberships (
  user_id text not null references users,
  workspace_id text not null references workspaces,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (user_id, workspace_id)
);
create index on memberships (workspace_id);

-- Credentials are kept as SHA-256 alone. A revoked one is deleted.
create table api_tokens (
  id text primary key,
  workspace_id text not null references workspaces,
  name text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  hint text not null check (char_length(hint) = 4),
  created_by text references users,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
);
create index on api_tokens (workspace_id, id);

-- Volatile, so that it sees what was committed while its caller waited for the workspace's row.
create function live_tokens(workspace text, at timestamptz) returns bigint language plpgsql volatile as $$
begin
  return (
    select count(*) from api_tokens t
    where t.workspace_id = workspace and (t.expires_at is null or t.expires_at > at)
  );
end $$;

create table sessions (
  id text primary key,
  user_id text not null references users,
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz
);
create index on sessions (user_id);

-- Down Migration
drop function live_tokens;
drop table sessions, api_tokens, memberships, workspaces, users;
