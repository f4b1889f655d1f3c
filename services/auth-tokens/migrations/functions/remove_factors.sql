-- All of a person whose row is locked. Returns whether there were any.
create or replace function remove_factors(person text) returns boolean
language plpgsql volatile as $$
declare
  had boolean := (factors_now(person)).has_factor;
begin
  delete from passkeys k where k.user_id = person;
  delete from totp_factors t where t.user_id = person;
  delete from recovery_codes c where c.user_id = person;
  perform forget_factor_proofs(person);
  return had;
end $$;
