-- The data of an order's events.
create or replace function order_event(seller text, customer text, offer text) returns jsonb
language sql immutable as $$
  select jsonb_build_object('workspace_id', seller, 'customer_workspace_id', customer, 'offer_id', offer)
$$;
