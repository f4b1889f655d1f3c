-- Retires the active key, signs with the next one and puts a new next one in its place; or answers the seconds until
-- the next one has been known for long enough.
create or replace function rotate_signing_keys(
  new_kid text, new_public jsonb, new_private jsonb, at timestamptz, known_for interval
) returns table (wait_seconds int, retired_kid text, active_kid text) language plpgsql volatile as $$
declare
  known_since timestamptz;
begin
  -- One change at a time: each sees what the one before it has left. Readers are not held up.
  lock table signing_keys in share row exclusive mode;
  select kid, created_at into strict active_kid, known_since from signing_keys where state = 'next';
  wait_seconds := greatest(0, ceil(extract(epoch from known_since + known_for - at)));
  if wait_seconds = 0 then
    -- In this order: there is one key of each of these states at most.
    update signing_keys set state = 'retired', retired_at = at where state = 'active' returning kid into retired_kid;
    update signing_keys set state = 'active' where kid = active_kid;
    insert into signing_keys (kid, state, public_jwk, private_jwk, created_at)
    values (new_kid, 'next', new_public, new_private, at);
  end if;
  return next;
end $$;
