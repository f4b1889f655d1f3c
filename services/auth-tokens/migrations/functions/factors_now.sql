-- Of a person whose row is locked. Volatile, so that it sees what was committed while its caller waited.
create or replace function factors_now(person text, out passkey_count bigint, out has_totp boolean, out has_factor boolean)
language plpgsql volatile as $$
begin
  passkey_count := (select count(*) from passkeys k where k.user_id = person);
  has_totp := exists (select from totp_factors t where t.user_id = person);
  has_factor := passkey_count > 0 or has_totp;
end $$;
