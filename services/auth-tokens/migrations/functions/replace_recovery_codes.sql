-- Of a person whose row is locked.
create or replace function replace_recovery_codes(person text, hashes bytea[]) returns void
language plpgsql volatile as $$
begin
  delete from recovery_codes c where c.user_id = person;
  insert into recovery_codes (user_id, hash) select person, unnest(hashes);
end $$;
