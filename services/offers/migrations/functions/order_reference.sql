-- What a customer names with a payment: the end of the id, which is random, in two groups of four. Its letters and digits are
-- Crockford's, in which none looks like another. `orders_reference` keeps it unique among the orders of a seller.
create or replace function order_reference(id text) returns text language sql immutable as $$
  select upper(left(right(id, 8), 4) || '-' || right(id, 4))
$$;
