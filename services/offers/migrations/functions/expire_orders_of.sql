-- Written down, an order is expired whatever the clocks of other replicas say. Afterwards all of the offer are that are past
-- their time, or so many that there are seats: who asks takes one, and the sweep does the rest. Without a limit nobody
-- needs them.
create or replace function expire_orders_of(offer text, max_uses integer, now_ms bigint) returns void
language sql set search_path from current as $$
  select settle_orders(array(
    select h.id from orders h
    where h.offer_id = offer and is_under_way(h.state) and h.expires_at <= now_ms
    limit 100
  ), now_ms)
  where max_uses is not null
$$;
