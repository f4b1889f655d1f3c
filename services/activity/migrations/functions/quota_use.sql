-- How many a workspace has; more than `most` are not counted.
create or replace function quota_use(wanted text, workspace text, most bigint) returns bigint
language plpgsql stable set search_path from current as $$
begin
  if wanted = 'webhook_endpoints' then
    return (
      select count(*) from (select from webhook_endpoints where workspace_id = workspace limit most + 1) counted
    );
  end if;
  return null;
end $$;
