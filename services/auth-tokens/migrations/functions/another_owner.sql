-- As `membership_now`: whether the workspace has an owner beside this person.
create or replace function another_owner(workspace text, person text) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from memberships m
    where m.workspace_id = workspace and m.role = 'owner' and m.user_id <> person
  );
end $$;
