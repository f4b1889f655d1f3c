-- The schema as the files of migrations/ make it. Written by `npm run schema`, which a test compares: change those files.

create table users (
  id text collate "C" primary key,
  email text collate "C" not null unique,
  password_hash text collate "C",
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  name text collate "C",
  deleted_at timestamptz,
  check (email = lower(email))
);

create table workspaces (
  id text collate "C" primary key,
  name text collate "C" not null,
  support_email text collate "C",
  require_second_factor boolean not null default false,
  created_at timestamptz not null default now(),
  created_by text collate "C" references users(id),
  creation_key text collate "C",
  creation_intent text collate "C",
  deleted_at timestamptz,
  clearing boolean,
  check (num_nulls(creation_key, creation_intent) in (0, 2))
);
create unique index workspaces_created_by_creation_key_idx on workspaces (created_by, creation_key) where creation_key is not null;
create index workspaces_deleted_at_idx on workspaces (deleted_at) where clearing;

create table memberships (
  user_id text collate "C" not null references users(id),
  workspace_id text collate "C" not null references workspaces(id),
  role text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (user_id, workspace_id),
  check (role in ('owner', 'admin', 'member'))
);
create index memberships_workspace_id_user_id_idx on memberships (workspace_id, user_id);
create index memberships_owners on memberships (workspace_id, created_at, user_id) where role = 'owner';
create trigger deleted before insert on memberships for each row execute function skip_deleted();
create trigger end_invitations_of_inviter after delete or update of role on memberships for each row execute function end_invitations_of_inviter();
create trigger end_tokens_of_creator after delete on memberships for each row execute function end_tokens_of_creator();
create trigger quota after insert on memberships for each row execute function hold_quota('members', 'workspace_id');

create table invitations (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces(id),
  email text collate "C" not null,
  role text collate "C" not null,
  invited_by text collate "C" references users(id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  revoked_at timestamptz,
  open boolean not null generated always as (num_nonnulls(accepted_at, declined_at, revoked_at) = 0) stored,
  check (num_nonnulls(accepted_at, declined_at, revoked_at) <= 1),
  check (email = lower(email)),
  check (role in ('owner', 'admin', 'member'))
);
create unique index invitations_open on invitations (workspace_id, email) where open;
create index invitations_email_id_idx on invitations (email, id) where open;
create index invitations_workspace_id_id_idx on invitations (workspace_id, id) where open;
create index invitations_expires_at_idx on invitations (expires_at);
create trigger deleted before insert on invitations for each row execute function skip_deleted();
create trigger quota after insert on invitations for each row execute function hold_quota('invitations', 'workspace_id');

create table ci_trusts (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces(id),
  name text collate "C" not null,
  issuer text collate "C" not null,
  claims jsonb not null,
  can text collate "C" not null,
  minutes integer not null,
  created_by text collate "C" references users(id),
  created_at timestamptz not null,
  last_used_at timestamptz,
  creation_key text collate "C",
  creation_intent text collate "C",
  unique (workspace_id, id),
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  check (minutes >= 5 and minutes <= 60)
);
create unique index ci_trusts_workspace_id_creation_key_idx on ci_trusts (workspace_id, creation_key) where creation_key is not null;
create trigger deleted before insert on ci_trusts for each row execute function skip_deleted();
create trigger end_tokens_of_trust before delete on ci_trusts for each row execute function end_tokens_of_trust();
create trigger quota after insert on ci_trusts for each row execute function hold_quota('ci_trusts', 'workspace_id');

create table used_id_tokens (
  hash bytea primary key,
  expires_at timestamptz not null,
  check (octet_length(hash) = 32)
);
create index used_id_tokens_expires_at_idx on used_id_tokens (expires_at);

create table ci_attempts (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces(id),
  issuer text collate "C" not null,
  origin text collate "C" not null,
  owner text collate "C" not null,
  claims jsonb not null,
  attempted_at timestamptz not null,
  unique (workspace_id, origin)
);
create index ci_attempts_attempted_at_idx on ci_attempts (attempted_at);
create trigger deleted before insert on ci_attempts for each row execute function skip_deleted();

create table api_tokens (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces(id),
  name text collate "C" not null,
  hash bytea not null unique,
  hint text collate "C" not null,
  created_by text collate "C" references users(id),
  ends_with_creator boolean not null default false,
  can text collate "C",
  allowed_addresses text[] collate "C",
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  ci_trust_id text collate "C",
  run jsonb,
  warn_at timestamptz,
  creation_key text collate "C",
  creation_intent text collate "C",
  check (cardinality(allowed_addresses) >= 1 and cardinality(allowed_addresses) <= 20),
  check (num_nulls(ci_trust_id, run) in (0, 2)),
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  check (not ends_with_creator or created_by is not null),
  check (octet_length(hash) = 32),
  check (char_length(hint) = 4),
  foreign key (workspace_id, ci_trust_id) references ci_trusts(workspace_id, id)
);
create index api_tokens_warn_at_idx on api_tokens (warn_at);
create unique index api_tokens_workspace_id_creation_key_idx on api_tokens (workspace_id, creation_key) where creation_key is not null;
create index api_tokens_workspace_id_id_idx on api_tokens (workspace_id, id);
create index api_tokens_workspace_id_expires_at_idx on api_tokens (workspace_id, expires_at);
create index api_tokens_workspace_id_created_by_idx on api_tokens (workspace_id, created_by) where ends_with_creator;
create index api_tokens_workspace_id_ci_trust_id_idx on api_tokens (workspace_id, ci_trust_id) where ci_trust_id is not null;
create trigger ci_quota after insert on api_tokens for each row when (new.ci_trust_id is not null) execute function hold_quota('ci_tokens', 'workspace_id');
create trigger deleted before insert on api_tokens for each row execute function skip_deleted();
create trigger quota after insert on api_tokens for each row when (new.ci_trust_id is null) execute function hold_quota('api_tokens', 'workspace_id');

create table api_token_uses (
  token_id text collate "C" not null references api_tokens(id) on delete cascade,
  day date not null,
  used bigint not null,
  primary key (token_id, day)
);
create index api_token_uses_day_idx on api_token_uses (day);

create table retired_secrets (
  hash bytea primary key,
  token_id text collate "C" not null references api_tokens(id) on delete cascade,
  expires_at timestamptz not null,
  check (octet_length(hash) = 32)
);
create index retired_secrets_token_id_idx on retired_secrets (token_id);
create index retired_secrets_expires_at_idx on retired_secrets (expires_at);

create table oauth_clients (
  id text collate "C" primary key,
  name text collate "C" not null,
  created_at timestamptz not null default now()
);

create table sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users(id),
  hash bytea not null unique,
  client_id text collate "C" references oauth_clients(id),
  address text collate "C",
  user_agent text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  workspace_id text collate "C" references workspaces(id),
  can text collate "C",
  ends_at timestamptz,
  auth_time timestamptz,
  amr text[] collate "C",
  confirmation_hash bytea,
  confirmation_expires_at timestamptz,
  check (octet_length(confirmation_hash) = 32),
  check (octet_length(hash) = 32)
);
create index sessions_user_id_id_idx on sessions (user_id, id);
create index sessions_expires_at_idx on sessions (expires_at);

create table device_grants (
  id text collate "C" primary key,
  device_code_hash bytea not null unique,
  user_code_hash bytea not null unique,
  client_id text collate "C" not null references oauth_clients(id),
  address text collate "C" not null,
  user_agent text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  interval_seconds integer not null,
  polled_at timestamptz,
  polled_too_soon boolean not null default false,
  entered_by text collate "C" references users(id),
  decision text collate "C",
  decided_at timestamptz,
  session_id text collate "C" references sessions(id) on delete cascade,
  consumed_at timestamptz,
  scope text[] collate "C",
  can text collate "C",
  workspace_id text collate "C",
  lifetime_seconds integer,
  check ((scope is null) = (can is null)),
  check ((decision is null) = (decided_at is null)),
  check ((not decision is distinct from 'approved') = (session_id is not null)),
  check (consumed_at is null or decision = 'approved'),
  check (decision is null or entered_by is not null),
  check (decision in ('approved', 'denied')),
  check (octet_length(device_code_hash) = 32),
  check (octet_length(user_code_hash) = 32)
);
create index device_grants_expires_at_idx on device_grants (expires_at);
create index device_grants_entered_by_idx on device_grants (entered_by) where consumed_at is null;
create index device_grants_session_id_idx on device_grants (session_id);

create table attempts (
  bucket text collate "C" primary key,
  times timestamptz[] not null,
  touched_at timestamptz not null
);
create index attempts_touched_at_idx on attempts (touched_at);

create table known_networks (
  user_id text collate "C" not null references users(id),
  network text collate "C" not null,
  seen_at timestamptz not null,
  primary key (user_id, network)
);
create index known_networks_seen_at_idx on known_networks (seen_at);

create table known_browsers (
  hash bytea primary key,
  user_id text collate "C" not null references users(id),
  seen_at timestamptz not null,
  check (octet_length(hash) = 32)
);
create index known_browsers_user_id_seen_at_idx on known_browsers (user_id, seen_at);
create index known_browsers_seen_at_idx on known_browsers (seen_at);

create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users(id),
  credential_id text collate "C" not null unique,
  public_key text collate "C" not null,
  counter bigint not null,
  transports text[] collate "C" not null,
  name text collate "C" not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user_id_id_idx on passkeys (user_id, id);

create table totp_factors (
  user_id text collate "C" primary key references users(id),
  sealed text collate "C" not null,
  last_step bigint not null,
  created_at timestamptz not null
);

create table recovery_codes (
  user_id text collate "C" not null references users(id),
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash),
  check (octet_length(hash) = 32)
);

create table used_challenges (
  hash bytea primary key,
  expires_at timestamptz not null,
  check (octet_length(hash) = 32)
);
create index used_challenges_expires_at_idx on used_challenges (expires_at);

create table pending_sign_ins (
  hash bytea primary key,
  user_id text collate "C" not null references users(id),
  expires_at timestamptz not null,
  check (octet_length(hash) = 32)
);
create index pending_sign_ins_user_id_expires_at_idx on pending_sign_ins (user_id, expires_at);
create index pending_sign_ins_expires_at_idx on pending_sign_ins (expires_at);

create table verifications (
  hash bytea primary key,
  email text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (octet_length(hash) = 32)
);
create index verifications_email_idx on verifications (email);
create index verifications_expires_at_idx on verifications (expires_at);

create table used_links (
  hash bytea primary key,
  user_id text collate "C" not null references users(id),
  expires_at timestamptz not null,
  check (octet_length(hash) = 32)
);
create index used_links_expires_at_idx on used_links (expires_at);

create table messages (
  id text collate "C" primary key,
  kind text collate "C" not null,
  email text collate "C" not null,
  workspace_id text collate "C" references workspaces(id),
  role text collate "C",
  invited_by text collate "C",
  details json,
  created_at timestamptz not null,
  attempts integer not null default 0,
  next_at timestamptz not null,
  notice text collate "C",
  check ((kind = 'invitation') = (workspace_id is not null and role is not null)),
  check ((kind in ('recovery', 'sign_up')) or (kind in ('webhook', 'notice', 'digest')) = (details is not null)),
  check ((kind in ('notice', 'digest')) = (notice is not null)),
  check (kind in ('recovery', 'sign_up', 'invitation', 'webhook', 'notice', 'digest'))
);
create index messages_recovery_due on messages (next_at) where kind = 'recovery';
create index messages_sign_up_due on messages (next_at) where kind = 'sign_up';
create index messages_due on messages (next_at) where kind in ('invitation', 'webhook');
create index messages_notices_due on messages (next_at) where notice is not null;

create table mail_digests (
  user_id text collate "C" not null references users(id),
  workspace_id text collate "C" not null,
  notice text collate "C" not null,
  count integer not null default 1,
  items jsonb not null,
  due_at timestamptz not null,
  primary key (user_id, workspace_id, notice)
);
create index mail_digests_due_at_idx on mail_digests (due_at);

create table muted_notices (
  user_id text collate "C" not null,
  workspace_id text collate "C" not null,
  notice text collate "C" not null,
  primary key (user_id, workspace_id, notice),
  foreign key (user_id, workspace_id) references memberships(user_id, workspace_id) on delete cascade
);

create table requested_mail (
  key text collate "C" primary key,
  created_at timestamptz not null
);
create index requested_mail_created_at_idx on requested_mail (created_at);

create table signing_keys (
  kid text collate "C" primary key,
  state text collate "C" not null,
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  check ((state = 'retired') = (retired_at is not null)),
  check (state in ('next', 'active', 'retired'))
);
create unique index signing_keys_state_idx on signing_keys (state) where state in ('next', 'active');
create index signing_keys_retired_at_idx on signing_keys (retired_at);

create table outbox (
  sequence bigint not null generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  aggregate_id text collate "C" not null,
  subject text collate "C" not null,
  payload json not null,
  actor json,
  request_id text collate "C",
  address text collate "C",
  changes json,
  created_at timestamptz not null default now(),
  check (subject ~ '^events\.[a-z_]+\.[a-z_]+$')
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_cost_delay=0);

create table quota_limits (
  quota text collate "C" not null,
  workspace_id text collate "C" not null,
  most bigint not null,
  primary key (quota, workspace_id),
  check (most >= 0)
);

create table lease_holders (
  id text collate "C" primary key,
  grant_id text collate "C" not null,
  timeline text collate "C" not null,
  until timestamptz not null,
  struck_out boolean not null default false
);

create table lease_timelines (
  timeline text collate "C" primary key,
  seen_at timestamptz not null
);

create function another_owner(workspace text, person text) returns boolean language plpgsql volatile;
create function by_person(by json, person text, email text, session text) returns json language sql immutable;
create function by_system(job text) returns json language sql immutable;
create function changes_of(before jsonb, after jsonb) returns json language sql immutable;
create function delete_user(person text, proven_hash text, at timestamptz, by json, out outcome text, out owned jsonb) returns record language plpgsql volatile;
create function delete_workspace(workspace text, person text, at timestamptz, by json, out gone boolean, out actor_role text, out deleted boolean) returns record language plpgsql volatile;
create function end_invitations_of_inviter() returns trigger language plpgsql volatile;
create function end_other_sessions(person text, kept text, by json) returns bigint language plpgsql volatile;
create function end_retired_secrets(token text) returns void language plpgsql volatile;
create function end_sessions(person text, by json) returns void language plpgsql volatile;
create function end_surplus_sessions(person text, opened text, at timestamptz, most bigint) returns text language plpgsql volatile;
create function end_tokens_of_creator() returns trigger language plpgsql volatile;
create function end_tokens_of_trust() returns trigger language plpgsql volatile;
create function factors_now(person text, out passkey_count bigint, out has_totp boolean, out has_factor boolean) returns record language plpgsql volatile;
create function forget_attempts(bucket_name text) returns void language sql volatile;
create function forget_expired_tokens(workspace text, at timestamptz) returns void language sql volatile;
create function hold_quota() returns trigger language plpgsql volatile;
create function invitation_state(i invitations, at timestamptz) returns text language sql stable;
create function is_member_now(workspace text, address text) returns boolean language plpgsql volatile;
create function membership_now(workspace text, person text) returns table(role text) language plpgsql volatile;
create function queue_notice(wanted_key text, wanted_notice text, workspace text, person text, owners_only boolean, facts jsonb, most bigint, at timestamptz) returns integer language plpgsql volatile;
create function quota_use(wanted text, workspace text, most bigint) returns bigint language plpgsql stable;
create function remember_browser(person text, browser bytea, at timestamptz, most bigint) returns void language plpgsql volatile;
create function remove_factor(person text, factor text) returns text language plpgsql volatile;
create function remove_factors(person text) returns boolean language plpgsql volatile;
create function remove_signing_key(old_kid text, new_kid text, new_public jsonb, new_private jsonb, at timestamptz) returns text language plpgsql volatile;
create function replace_recovery_codes(person text, hashes bytea[]) returns void language plpgsql volatile;
create function return_attempt(bucket_name text, at timestamptz) returns void language sql volatile;
create function rotate_signing_keys(new_kid text, new_public jsonb, new_private jsonb, at timestamptz, known_for interval) returns table(wait_seconds integer, retired_kid text, active_kid text) language plpgsql volatile;
create function skip_deleted() returns trigger language plpgsql volatile;
create function take_attempt(bucket_name text, most bigint, span interval, at timestamptz) returns integer language plpgsql volatile;
create function take_attempts(buckets text[], most bigint[], span interval, at timestamptz) returns integer language sql volatile;
create function take_attempts(buckets text[], most bigint[], spans_seconds bigint[], at timestamptz) returns integer language plpgsql volatile;
create function take_quota(wanted text, workspace text) returns void language plpgsql volatile;
create function take_workspace_attempt(person text, sent_key text, bucket_name text, most bigint, span interval, at timestamptz) returns integer language plpgsql volatile;
create function taken_attempts(bucket_name text) returns text language plpgsql volatile;
create function unix_seconds(at timestamptz) returns bigint language sql stable;
create function workspace_owner(workspace text) returns text language sql stable;
create function write_event(aggregate text, subject text, payload jsonb, by json, changes json) returns void language sql volatile;
