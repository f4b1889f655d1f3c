-- Whether one more order would not be one too many.
create or replace function seats_left(offer text, max_uses integer, redeemed integer, now_ms bigint) returns boolean
language sql stable set search_path from current as $$
  select max_uses is null or coalesce(redeemed, 0) + held_seats(offer, now_ms) < max_uses
$$;
