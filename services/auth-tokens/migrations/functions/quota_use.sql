-- How many a workspace has; more than `most` are not counted.
create or replace function quota_use(wanted text, workspace text, most bigint) returns bigint
language plpgsql stable set search_path from current as $$
begin
  if wanted = 'members' then
    return (select count(*) from (select from memberships where workspace_id = workspace limit most + 1) counted);
  end if;
  return null;
end $$;
