-- Until when an order may go on from now: never past the offer's own time.
create or replace function order_deadline(o offers, now_ms bigint) returns bigint language sql immutable as $$
  select least(now_ms + o.order_ttl_minutes * 60000::bigint, o.expires_at * 1000)
$$;
