-- A trigger's: after the row is there. The first argument is the quota, the second the column that has the workspace.
create or replace function hold_quota() returns trigger language plpgsql volatile set search_path from current as $$
begin
  perform take_quota(tg_argv[0], to_jsonb(new) ->> tg_argv[1]);
  return null;
end $$;
