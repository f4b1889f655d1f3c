-- The `changes` of an order's event.
create or replace function order_changes(was text, state text) returns json language sql immutable as $$
  select json_build_object('state', json_build_object('before', was, 'after', state))
$$;
