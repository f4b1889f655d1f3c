-- Deletes a workspace for one of its owners: its members, tokens and invitations end, and its name stays for those who dealt with it.
-- The lock is that of all changes of its members; once they are out it excludes whoever would still bring something in.
create or replace function delete_workspace(
  workspace text, person text, at timestamptz, by json, out gone boolean, out actor_role text, out deleted boolean
) language plpgsql volatile set search_path from current as $$
begin
  select w.deleted_at is not null into gone from workspaces w where w.id = workspace for no key update;
  select m.role into actor_role from memberships m where m.workspace_id = workspace and m.user_id = person;
  deleted := not gone and actor_role = 'owner';
  if deleted is not true then
    return;
  end if;
  delete from memberships m where m.workspace_id = workspace;
  perform from workspaces w where w.id = workspace for update;
  update invitations i set revoked_at = at where i.workspace_id = workspace and i.open;
  with ended as materialized (
    select t.id from api_tokens t where t.workspace_id = workspace order by t.id for update
  )
  delete from api_tokens t using ended where t.id = ended.id;
  delete from ci_trusts t where t.workspace_id = workspace;
  delete from ci_attempts a where a.workspace_id = workspace;
  update workspaces w set
    deleted_at = at, clearing = true, support_email = null, creation_key = null, creation_intent = null
  where w.id = workspace;
  perform write_event(
    workspace, 'events.workspaces.deleted', jsonb_build_object('workspace_id', workspace), by, null
  );
end $$;
