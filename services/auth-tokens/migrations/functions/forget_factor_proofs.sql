-- Where a person has lost their last factor, their sessions have not proven the next one.
create or replace function forget_factor_proofs(person text) returns void
language plpgsql volatile as $$
begin
  perform from sessions s where s.user_id = person and 'mfa' = any (s.amr) order by s.id for no key update;
  update sessions s set amr = array_remove(s.amr, 'mfa') where s.user_id = person and 'mfa' = any (s.amr);
end $$;
