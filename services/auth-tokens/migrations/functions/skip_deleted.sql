-- A trigger's: nothing comes into a workspace, or to a person, that is deleted. The lock makes whoever deletes it wait.
create or replace function skip_deleted() returns trigger language plpgsql volatile set search_path from current as $$
begin
  perform from workspaces w where w.id = new.workspace_id and w.deleted_at is null for key share;
  if not found then
    return null;
  end if;
  if tg_table_name = 'memberships' then
    perform from users u where u.id = new.user_id and u.deleted_at is null for key share;
    if not found then
      return null;
    end if;
  end if;
  return new;
end $$;
