-- What an order that is under way becomes by itself: expired when its time has passed, cancelled when its offer is
-- revoked; what came first stays. Columns and not the row, which would be read with values of any size.
create or replace function state_by_itself(offer text, state text, order_expires_at bigint, now_ms bigint) returns text
language sql stable set search_path from current as $$
  select case
    when order_expires_at <= coalesce(extract(epoch from f.revoked_at) * 1000, now_ms) then 'expired'
    when f.revoked_at is not null then 'cancelled'
    else state
  end
  from offers f where f.id = offer
$$;
