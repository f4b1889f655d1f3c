-- How many a workspace has; more than `most` are not counted.
create or replace function quota_use(wanted text, workspace text, most bigint) returns bigint
language plpgsql stable set search_path from current as $$
begin
  if wanted = 'members' then
    return (select count(*) from (select from memberships where workspace_id = workspace limit most + 1) counted);
  elsif wanted = 'invitations' then
    return (
      select count(*) from (
        select from invitations where workspace_id = workspace and open and expires_at > now() limit most + 1
      ) counted
    );
  elsif wanted = 'api_tokens' then
    return (
      select count(*) from (
        select from api_tokens
        where workspace_id = workspace and (expires_at is null or expires_at > now()) and ci_trust_id is null limit most + 1
      ) counted
    );
  elsif wanted = 'ci_tokens' then
    return (
      select count(*) from (
        select from api_tokens where workspace_id = workspace and expires_at > now() and ci_trust_id is not null limit most + 1
      ) counted
    );
  elsif wanted = 'ci_trusts' then
    return (select count(*) from (select from ci_trusts where workspace_id = workspace limit most + 1) counted);
  end if;
  return null;
end $$;
