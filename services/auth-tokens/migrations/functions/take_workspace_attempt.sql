-- As take_attempt, for a workspace that a person creates. With a key, one request at a time: none is taken where an earlier one
-- has created it. Volatile, so that what is looked for is as of after the lock.
create or replace function take_workspace_attempt(
  person text, sent_key text, bucket_name text, most bigint, span interval, at timestamptz
) returns int language plpgsql volatile set search_path from current as $$
begin
  if sent_key is not null then
    perform pg_advisory_xact_lock(hashtextextended('workspace ' || person || ' ' || sent_key, 0));
    if exists (select from workspaces where created_by = person and creation_key = sent_key) then
      return 0;
    end if;
  end if;
  return take_attempt(bucket_name, most, span, at);
end $$;
