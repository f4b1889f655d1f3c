-- How many API tokens of a workspace have not expired. Volatile, so that it sees what was committed while its caller waited
-- for the workspace's row.
create or replace function live_tokens(workspace text, at timestamptz) returns bigint language plpgsql volatile as $$
begin
  return (
    select count(*) from api_tokens t
    where t.workspace_id = workspace and (t.expires_at is null or t.expires_at > at)
  );
end $$;
