-- Up Migration
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

-- Down Migration
create or replace function take_up_invitations(person text) returns void language plpgsql volatile as $$
begin
  update memberships m set active = true where m.user_id = person and not m.active;
end $$;
