-- As `membership_now`, by address.
create or replace function is_member_now(workspace text, address text) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from memberships m join users u on u.id = m.user_id
    where m.workspace_id = workspace and u.email = address
  );
end $$;
