-- Up Migration

-- A person is asked into a workspace by address. Nothing else is written before they answer: no user, no membership.
create table invitations (
  id text primary key,
  workspace_id text not null references workspaces,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'member')),
  -- Null: from before invitations had rows of their own. They stand for the workspace, whatever becomes of who invited.
  invited_by text references users,
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

-- Members who have not verified their address have accepted nothing. The id has the form of a TypeID of long ago.
with asked as (
  delete from memberships where not active returning user_id, workspace_id, role
), invited as (
  insert into invitations (id, workspace_id, email, role, created_at, expires_at)
  select 'inv_0' || substr(md5(a.workspace_id || '/' || a.user_id), 1, 25), a.workspace_id, u.email, a.role, now(),
    now() + interval '7 days'
  from asked a join users u on u.id = a.user_id
  returning id, workspace_id, role
)
insert into outbox (aggregate_id, subject, payload)
select workspace_id || '/' || user_id, 'events.members.removed',
  jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id)
from asked
union all
select id, 'events.invitations.created', jsonb_build_object('workspace_id', workspace_id, 'role', role) from invited;

-- Replicas of the version before read `active`, and what they would add without being accepted is refused.
alter table memberships add constraint memberships_accepted check (active);
create or replace function take_up_invitations(person text) returns void language sql immutable as 'select';

-- When its person made the workspace or accepted the invitation to it. Null: an operator put them in, or the version
-- before added them without asking.
alter table memberships add accepted_at timestamptz;
update memberships m set accepted_at = m.created_at
from workspaces w where w.id = m.workspace_id and m.role = 'owner' and m.created_at = w.created_at;

-- The owner who has been one for longest is shown beside the name of a workspace.
create index memberships_owners on memberships (workspace_id, created_at, user_id) where role = 'owner';

create function workspace_owner(workspace text) returns text language sql stable as $$
  select u.email from memberships m join users u on u.id = m.user_id
  where m.workspace_id = workspace and m.role = 'owner'
  order by m.created_at, m.user_id limit 1
$$;

create function invitation_state(i invitations, at timestamptz) returns text language sql stable as $$
  select case
    when i.accepted_at is not null then 'accepted'
    when i.declined_at is not null then 'declined'
    when i.revoked_at is not null then 'revoked'
    when i.expires_at <= at then 'expired'
    else 'pending'
  end
$$;

-- As `membership_now`, by address.
create function is_member_now(workspace text, address text) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from memberships m join users u on u.id = m.user_id
    where m.workspace_id = workspace and u.email = address
  );
end $$;

-- Down Migration
drop function is_member_now, workspace_owner, invitation_state;
drop index memberships_owners;
alter table memberships drop constraint memberships_accepted, drop accepted_at;
create or replace function take_up_invitations(person text) returns void language plpgsql volatile as $$
begin
  with taken as (
    update memberships m set active = true where m.user_id = person and not m.active
    returning m.workspace_id, m.user_id, m.role
  )
  insert into outbox (aggregate_id, subject, payload)
  select workspace_id || '/' || user_id, 'events.members.updated',
    jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id, 'role', role, 'state', 'active')
  from taken;
end $$;
insert into users (id, email)
select 'user_' || substr(id, 5), email from (
  select distinct on (email) id, email from invitations
  where open order by email, id
) invited
on conflict (email) do nothing;
insert into memberships (user_id, workspace_id, role, active)
select u.id, i.workspace_id, i.role, false from invitations i join users u on u.email = i.email
where i.open
on conflict do nothing;
drop table invitations;
