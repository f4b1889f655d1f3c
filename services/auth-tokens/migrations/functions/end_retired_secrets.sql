-- Volatile, so that it sees what rotations before this one have left.
create or replace function end_retired_secrets(token text) returns void language plpgsql volatile as $$
begin
  delete from retired_secrets r where r.token_id = token;
end $$;
