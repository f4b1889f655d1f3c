-- The address that is shown beside the name of a workspace: of the owner who has been one for longest.
create or replace function workspace_owner(workspace text) returns text language sql stable as $$
  select u.email from memberships m join users u on u.id = m.user_id
  where m.workspace_id = workspace and m.role = 'owner'
  order by m.created_at, m.user_id limit 1
$$;
