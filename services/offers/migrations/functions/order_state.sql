-- The state, whether somebody has written it down or not.
create or replace function order_state(o orders, now_ms bigint) returns text language sql stable as $$
  select case
    when is_under_way(o.state) then state_by_itself(o.offer_id, o.state, o.expires_at, now_ms)
    else o.state
  end
$$;
