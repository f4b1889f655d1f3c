-- Removes a key that does not sign, and puts a new one in the place of the next one. Answers the state that the key
-- had, or has: nothing is done to the active one.
create or replace function remove_signing_key(
  old_kid text, new_kid text, new_public jsonb, new_private jsonb, at timestamptz
) returns text language plpgsql volatile as $$
declare
  old_state text;
begin
  lock table signing_keys in share row exclusive mode;
  select state into old_state from signing_keys where kid = old_kid;
  delete from signing_keys where kid = old_kid and state <> 'active';
  if old_state = 'next' then
    insert into signing_keys (kid, state, public_jwk, private_jwk, created_at)
    values (new_kid, 'next', new_public, new_private, at);
  end if;
  return old_state;
end $$;
