-- The first that is true.
create or replace function invitation_state(i invitations, at timestamptz) returns text language sql stable as $$
  select case
    when i.accepted_at is not null then 'accepted'
    when i.declined_at is not null then 'declined'
    when i.revoked_at is not null then 'revoked'
    when i.expires_at <= at then 'expired'
    else 'pending'
  end
$$;
