-- Seats that orders under way hold, none once the offer is revoked. Where there is no limit, 1,000 of them are counted.
create or replace function held_seats(offer text, now_ms bigint) returns bigint
language sql stable set search_path from current as $$
  select count(*) from (
    select from orders o
    where o.offer_id = offer and is_under_way(o.state) and o.expires_at > now_ms
    limit coalesce(
      (select coalesce(f.max_uses, 1000) from offers f where f.id = offer and f.revoked_at is null), 0
    )
  ) held
$$;
