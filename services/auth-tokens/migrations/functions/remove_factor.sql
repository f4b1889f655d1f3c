-- Of a person whose row is locked: a passkey, or TOTP, and the recovery codes with the last factor. Returns its kind; null if there is none.
create or replace function remove_factor(person text, factor text) returns text
language plpgsql volatile as $$
declare
  kind text;
begin
  if factor = 'totp' then
    delete from totp_factors t where t.user_id = person returning 'totp' into kind;
  else
    delete from passkeys k where k.user_id = person and k.id = factor returning 'passkey' into kind;
  end if;
  if not (factors_now(person)).has_factor then
    perform remove_factors(person);
  end if;
  return kind;
end $$;
