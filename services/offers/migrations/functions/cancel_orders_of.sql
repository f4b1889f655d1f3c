-- Writes down that orders of a revoked offer are cancelled, `most` at a time. Its row is locked.
create or replace function cancel_orders_of(offer text, most bigint, now_ms bigint) returns bigint
language plpgsql set search_path from current as $$
declare
  ended text[] := array(
    select h.id from orders h where h.offer_id = offer and is_under_way(h.state) limit most
  );
begin
  if cardinality(ended) < most then
    update offers set cancelling = null where id = offer;
  end if;
  return settle_orders(ended, now_ms);
end $$;
