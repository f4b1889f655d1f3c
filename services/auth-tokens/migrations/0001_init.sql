-- compatible_from: 0.1.0
-- People and their workspaces, how they sign in, and the credentials that are looked up for every request.

-- People and workspaces

-- Nobody signs in without a password. `verified_at`: when the address was proven.
create table users (
  id text collate "C" primary key,
  email text collate "C" not null unique check (email = lower(email)),
  password_hash text collate "C",
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  -- As the person wants to be called.
  name text collate "C",
  -- From then on the address is one that nobody has, and everything else is null.
  deleted_at timestamptz
);

create table workspaces (
  id text collate "C" primary key,
  name text collate "C" not null,
  -- Where its customers can write to.
  support_email text collate "C",
  -- Whether its members need a session with a second factor.
  require_second_factor boolean not null default false,
  created_at timestamptz not null default now(),
  -- The person who created it, the Idempotency-Key that they sent, and the hash of what they sent.
  created_by text collate "C" references users,
  creation_key text collate "C",
  creation_intent text collate "C",
  deleted_at timestamptz,
  -- Deleted, and other services may still have something of it that works.
  clearing boolean,
  check (num_nulls(creation_key, creation_intent) in (0, 2))
);
create unique index on workspaces (created_by, creation_key) where creation_key is not null;
create index on workspaces (deleted_at) where clearing;

create table memberships (
  user_id text collate "C" not null references users,
  workspace_id text collate "C" not null references workspaces,
  role text collate "C" not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default now(),
  primary key (user_id, workspace_id)
);
create index on memberships (workspace_id, user_id);
-- The owner who has been one for longest is shown beside the name of a workspace.
create index memberships_owners on memberships (workspace_id, created_at, user_id) where role = 'owner';

-- A person is asked into a workspace by address. Nothing else is written before they answer: no user, no membership.
create table invitations (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces,
  email text collate "C" not null check (email = lower(email)),
  role text collate "C" not null check (role in ('owner', 'admin', 'member')),
  -- It ends with their membership, and with the role that permits it.
  invited_by text collate "C" references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  revoked_at timestamptz,
  open boolean not null generated always as (num_nonnulls(accepted_at, declined_at, revoked_at) = 0) stored,
  check (num_nonnulls(accepted_at, declined_at, revoked_at) <= 1)
);
create unique index invitations_open on invitations (workspace_id, email) where open;
-- What a person may answer, and what a workspace waits for.
create index on invitations (email, id) where open;
create index on invitations (workspace_id, id) where open;
create index on invitations (expires_at);

-- API tokens

-- Runs of CI jobs that get a token in exchange for their ID token: those of `issuer` whose claims are all as in `claims`.
create table ci_trusts (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces,
  name text collate "C" not null,
  issuer text collate "C" not null,
  claims jsonb not null,
  -- The bitmap of permissions of its tokens.
  can text collate "C" not null,
  minutes int not null check (minutes between 5 and 60),
  created_by text collate "C" references users,
  created_at timestamptz not null,
  last_used_at timestamptz,
  creation_key text collate "C",
  creation_intent text collate "C",
  unique (workspace_id, id),
  check (num_nulls(creation_key, creation_intent) in (0, 2))
);
create unique index on ci_trusts (workspace_id, creation_key) where creation_key is not null;

-- ID tokens that were exchanged, by the SHA-256 of issuer and `jti`, until nobody would accept them any more.
create table used_id_tokens (
  hash bytea primary key check (octet_length(hash) = 32),
  expires_at timestamptz not null
);
create index on used_id_tokens (expires_at);

-- Runs that no trust matched, so that people see which claim is another: the last one of each `origin`, a hash of what a trust
-- would pin. `owner`: whose repository it is, by the issuer's id.
create table ci_attempts (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces,
  issuer text collate "C" not null,
  origin text collate "C" not null,
  owner text collate "C" not null,
  claims jsonb not null,
  attempted_at timestamptz not null,
  unique (workspace_id, origin)
);
create index on ci_attempts (attempted_at);

-- Credentials are kept as SHA-256 alone. A revoked one is deleted.
create table api_tokens (
  id text collate "C" primary key,
  workspace_id text collate "C" not null references workspaces,
  name text collate "C" not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  hint text collate "C" not null check (char_length(hint) = 4),
  created_by text collate "C" references users,
  -- With the creator's membership in the workspace.
  ends_with_creator boolean not null default false,
  -- The bitmap of its permissions; null: what a member may.
  can text collate "C",
  -- Networks that it is accepted from, in CIDR notation; null: anywhere.
  allowed_addresses text[] collate "C" check (cardinality(allowed_addresses) between 1 and 20),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  -- Made for a run of CI, with what is kept of its claims; it ends with the trust.
  ci_trust_id text collate "C",
  run jsonb,
  -- When its workspace's owners are next told that it will expire.
  warn_at timestamptz,
  -- The Idempotency-Key that it was created with, and the hash of what was sent.
  creation_key text collate "C",
  creation_intent text collate "C",
  foreign key (workspace_id, ci_trust_id) references ci_trusts (workspace_id, id),
  check (num_nulls(ci_trust_id, run) in (0, 2)),
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  check (not ends_with_creator or created_by is not null)
);
create index on api_tokens (warn_at);
create unique index on api_tokens (workspace_id, creation_key) where creation_key is not null;
create index on api_tokens (workspace_id, id);
create index on api_tokens (workspace_id, expires_at);
create index on api_tokens (workspace_id, created_by) where ends_with_creator;
create index on api_tokens (workspace_id, ci_trust_id) where ci_trust_id is not null;

-- What each token did on a day of UTC: permission n of the contract's list is bit n.
create table api_token_uses (
  token_id text collate "C" not null references api_tokens on delete cascade,
  day date not null,
  used bigint not null,
  primary key (token_id, day)
);
create index on api_token_uses (day);

-- Old secrets of rotated API tokens, in their period of grace.
create table retired_secrets (
  hash bytea primary key check (octet_length(hash) = 32),
  token_id text collate "C" not null references api_tokens on delete cascade,
  expires_at timestamptz not null
);
create index on retired_secrets (token_id);
create index on retired_secrets (expires_at);

-- Sessions

-- Public clients of OAuth (RFC 6749, 2.1): none has a secret.
create table oauth_clients (
  id text collate "C" primary key,
  name text collate "C" not null,
  created_at timestamptz not null default now()
);
insert into oauth_clients (id, name) values ('svc-cli', 'svc command line');

create table sessions (
  id text collate "C" primary key,
  user_id text collate "C" not null references users,
  hash bytea not null unique check (octet_length(hash) = 32),
  -- Where it was opened. Without a client: by a browser or an operator.
  client_id text collate "C" references oauth_clients,
  address text collate "C",
  user_agent text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  -- What a device was narrowed to: one workspace, the bitmap of its permissions, an end that use does not delay.
  workspace_id text collate "C" references workspaces,
  can text collate "C",
  ends_at timestamptz,
  -- When the person last proved who they are in it, and how (RFC 8176). Null: when it was opened, by password.
  auth_time timestamptz,
  amr text[] collate "C",
  -- Shown by a terminal whose request waits, and entered where the person confirms it.
  confirmation_hash bytea check (octet_length(confirmation_hash) = 32),
  confirmation_expires_at timestamptz
);
create index on sessions (user_id, id);
create index on sessions (expires_at);

-- Codes of RFC 8628 as SHA-256 alone. `entered_by`: who typed the user code first, and alone may decide. `session_id`: with which
-- they approved it, and with which it ends. Whoever changes both locks the session first. `scope`, `can` (its bitmap), `workspace_id`
-- and `lifetime_seconds`: what was asked for, and once it is approved what was granted; null: all that the person may.
create table device_grants (
  id text collate "C" primary key,
  device_code_hash bytea not null unique check (octet_length(device_code_hash) = 32),
  user_code_hash bytea not null unique check (octet_length(user_code_hash) = 32),
  client_id text collate "C" not null references oauth_clients,
  address text collate "C" not null,
  user_agent text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  interval_seconds int not null,
  polled_at timestamptz,
  polled_too_soon boolean not null default false,
  entered_by text collate "C" references users,
  decision text collate "C" check (decision in ('approved', 'denied')),
  decided_at timestamptz,
  session_id text collate "C" references sessions on delete cascade,
  consumed_at timestamptz,
  scope text[] collate "C",
  can text collate "C",
  workspace_id text collate "C",
  lifetime_seconds int,
  check ((scope is null) = (can is null)),
  check ((decision is null) = (decided_at is null)),
  check ((decision is not distinct from 'approved') = (session_id is not null)),
  check (consumed_at is null or decision = 'approved'),
  check (decision is null or entered_by is not null)
);
create index on device_grants (expires_at);
create index on device_grants (entered_by) where consumed_at is null;
create index on device_grants (session_id);

-- Limits of attempts

-- When something was tried, as far back as its limit looks.
create table attempts (
  bucket text collate "C" primary key,
  times timestamptz[] not null,
  touched_at timestamptz not null
);
create index on attempts (touched_at);

-- Networks, as SHA-256, from which a person has signed in: requests from there may spend the reserve of their mail.
create table known_networks (
  user_id text collate "C" not null references users,
  network text collate "C" not null,
  seen_at timestamptz not null,
  primary key (user_id, network)
);
create index on known_networks (seen_at);

-- Browsers that a person has signed in with, each by the SHA-256 of an id that it keeps in a cookie for this account alone. The
-- passwords that are tried there are counted apart: who tries them elsewhere does not keep the person out.
create table known_browsers (
  hash bytea primary key check (octet_length(hash) = 32),
  user_id text collate "C" not null references users,
  seen_at timestamptz not null
);
create index on known_browsers (user_id, seen_at);
create index on known_browsers (seen_at);

-- Second factors

create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users,
  -- In base64url, as browsers send it.
  credential_id text collate "C" not null unique,
  -- COSE (RFC 9052), in base64url.
  public_key text collate "C" not null,
  counter bigint not null,
  transports text[] collate "C" not null,
  name text collate "C" not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index on passkeys (user_id, id);

create table totp_factors (
  user_id text collate "C" primary key references users,
  sealed text collate "C" not null,
  -- RFC 6238, 5.2: codes of this step and of earlier ones are refused.
  last_step bigint not null,
  created_at timestamptz not null
);

-- As SHA-256 alone. They exist as long as the person has a factor.
create table recovery_codes (
  user_id text collate "C" not null references users,
  hash bytea not null check (octet_length(hash) = 32),
  used_at timestamptz,
  primary key (user_id, hash)
);

-- Challenges that were accepted, until they would have expired: a challenge is sealed and is not stored before.
create table used_challenges (
  hash bytea primary key check (octet_length(hash) = 32),
  expires_at timestamptz not null
);
create index on used_challenges (expires_at);

-- A right password, or a link, of a person with a factor: the browser that has the token goes on with the factor.
create table pending_sign_ins (
  hash bytea primary key check (octet_length(hash) = 32),
  user_id text collate "C" not null references users,
  expires_at timestamptz not null
);
create index on pending_sign_ins (user_id, expires_at);
create index on pending_sign_ins (expires_at);

-- Mail

-- Links that prove an address.
create table verifications (
  hash bytea primary key check (octet_length(hash) = 32),
  email text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on verifications (email);
create index on verifications (expires_at);

-- Links that have set a password, until they would have expired: whoever repeats one may not know that it did.
create table used_links (
  hash bytea primary key check (octet_length(hash) = 32),
  user_id text collate "C" not null references users,
  expires_at timestamptz not null
);
create index on used_links (expires_at);

-- Mail to be sent. The secret of its link is made when it is sent, so that none is stored.
create table messages (
  id text collate "C" primary key,
  kind text collate "C" not null check (kind in ('recovery', 'sign_up', 'invitation', 'webhook', 'notice', 'digest')),
  email text collate "C" not null,
  workspace_id text collate "C" references workspaces,
  role text collate "C",
  invited_by text collate "C",
  -- What else the text says.
  details json,
  created_at timestamptz not null,
  attempts int not null default 0,
  next_at timestamptz not null,
  -- Of a notice, or of a digest of notices: what it tells of.
  notice text collate "C",
  check ((kind = 'invitation') = (workspace_id is not null and role is not null)),
  check (kind in ('recovery', 'sign_up') or (kind in ('webhook', 'notice', 'digest')) = (details is not null)),
  check ((kind in ('notice', 'digest')) = (notice is not null))
);
-- Each is a lane of its own: however much others have queued of one, it delays nothing in another.
create index messages_recovery_due on messages (next_at) where kind = 'recovery';
create index messages_sign_up_due on messages (next_at) where kind = 'sign_up';
create index messages_due on messages (next_at) where kind in ('invitation', 'webhook');
create index messages_notices_due on messages (next_at) where notice is not null;

-- Notices past the number that a person gets in a day: they leave as one message when the day is over.
create table mail_digests (
  user_id text collate "C" not null references users,
  -- '': of no workspace.
  workspace_id text collate "C" not null,
  notice text collate "C" not null,
  count int not null default 1,
  -- What the first of them say.
  items jsonb not null,
  due_at timestamptz not null,
  primary key (user_id, workspace_id, notice)
);
create index on mail_digests (due_at);

-- Notices that a member does not want.
create table muted_notices (
  user_id text collate "C" not null,
  workspace_id text collate "C" not null,
  notice text collate "C" not null,
  primary key (user_id, workspace_id, notice),
  foreign key (user_id, workspace_id) references memberships on delete cascade
);

-- Mail that another service asked for: the same is queued once.
create table requested_mail (
  key text collate "C" primary key,
  created_at timestamptz not null
);
create index on requested_mail (created_at);

-- Signing keys

-- Keys that sign JWTs. `next` is published before it signs, `retired` until all that it signed has expired.
create table signing_keys (
  kid text collate "C" primary key,
  state text collate "C" not null check (state in ('next', 'active', 'retired')),
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  check ((state = 'retired') = (retired_at is not null))
);
create unique index on signing_keys (state) where state in ('next', 'active');
create index on signing_keys (retired_at);

-- Events

-- Events that the service activity has yet to read, each written by the statement that makes the change. The sequence is drawn while
-- the row that changed is locked: of two changes of one aggregate the later one has the greater number.
create table outbox (
  sequence bigint generated always as identity primary key,
  -- The event's id is made of it and of `created_at`.
  id uuid not null default gen_random_uuid(),
  aggregate_id text collate "C" not null,
  subject text collate "C" not null check (subject ~ '^events\.[a-z_]+\.[a-z_]+$'),
  -- Written once and read once, as text.
  payload json not null,
  -- Who is behind it, by which request and from where: the address is for the audit log alone, and not in the stream.
  actor json,
  request_id text collate "C",
  address text collate "C",
  -- By field, before and after.
  changes json,
  created_at timestamptz not null default now()
) with (
  -- Every row goes soon after it came, so what counts is how many went and not which part of the table that is.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
);

-- Quotas

-- How many of each kind a workspace may have: the common number under '', which the service writes at its start, and those
-- of workspaces that the operator gave another one.
create table quota_limits (
  quota text collate "C" not null,
  workspace_id text collate "C" not null,
  most bigint not null check (most >= 0),
  primary key (quota, workspace_id)
);

-- Leases (docs/people/leases.md)

-- Gateway processes that may use kept answers, and until when. Locked by who renews and by who recalls.
create table lease_holders (
  id text collate "C" primary key,
  -- Another one where the lease had ended before it was renewed.
  grant_id text collate "C" not null,
  -- On which it was granted.
  timeline text collate "C" not null,
  until timestamptz not null,
  -- Did not acknowledge a recall: its next renewal begins anew.
  struck_out boolean not null default false
);

-- Which timelines of the database were seen, and when first: a failover may have lost the last holders.
create table lease_timelines (
  timeline text collate "C" primary key,
  seen_at timestamptz not null
);
insert into lease_timelines values (substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), 'epoch');
