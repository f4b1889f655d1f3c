-- The first that is true.
create or replace function offer_state(o offers, now_ms bigint) returns text language sql stable as $$
  select case
    when o.revoked_at is not null then 'revoked'
    when exists (
      select from closed_workspaces c where c.workspace_id = o.workspace_id and c.until > now_ms
    ) then 'revoked'
    when o.redeemed >= o.max_uses then 'exhausted'
    when o.expires_at * 1000 <= now_ms then 'expired'
    else 'active'
  end
$$;
