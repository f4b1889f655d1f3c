-- A trigger's, as end_tokens_of_creator: however a membership ends or its role is lowered, what its person may not invite to any
-- more is revoked by the same statement.
create or replace function end_invitations_of_inviter() returns trigger
language plpgsql volatile set search_path from current as $$
declare
  ended record;
begin
  for ended in
    with theirs as materialized (
      select i.id from invitations i
      where i.workspace_id = old.workspace_id and i.open and i.invited_by = old.user_id
        and (new.role = 'owner' or new.role = 'admin' and i.role <> 'owner') is not true
      order by i.id for update
    )
    update invitations i set revoked_at = now() from theirs where i.id = theirs.id
    returning i.id, i.workspace_id, i.role
  loop
    perform write_event(
      ended.id, 'events.invitations.revoked',
      jsonb_build_object('workspace_id', ended.workspace_id, 'role', ended.role),
      by_system('end_invitations_of_inviter'), null
    );
  end loop;
  return null;
end $$;
