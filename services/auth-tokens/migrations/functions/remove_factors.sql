-- All of a person whose row is locked, and what their sessions have proven with them. Returns whether there were any.
create or replace function remove_factors(person text) returns boolean
language plpgsql volatile as $$
declare
  had boolean := (factors_now(person)).has_factor;
begin
  delete from passkeys k where k.user_id = person;
  delete from totp_factors t where t.user_id = person;
  delete from recovery_codes c where c.user_id = person;
  perform from sessions s where s.user_id = person and 'mfa' = any (s.amr) order by s.id for no key update;
  update sessions s set amr = array_remove(s.amr, 'mfa') where s.user_id = person and 'mfa' = any (s.amr);
  return had;
end $$;
