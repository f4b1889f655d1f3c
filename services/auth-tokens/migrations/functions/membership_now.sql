-- Whoever changes the members of a workspace locks its row first and asks this afterwards. Volatile, so that it sees what
-- was committed while its caller waited.
create or replace function membership_now(workspace text, person text) returns table (role text)
language plpgsql volatile rows 1 as $$
begin
  return query
    select m.role from memberships m where m.workspace_id = workspace and m.user_id = person;
end $$;
