-- A trigger's. Nobody shall pay for an order that has ended: its session is looked at soon. One that Stripe is being asked for at this
-- moment gets the time to become known.
create or replace function end_checkout() returns trigger language plpgsql set search_path from current as $$
declare
  ended_at bigint := floor(extract(epoch from new.updated_at) * 1000);
begin
  update checkout_sessions set due_at = case when id is null then ended_at + 60000 else ended_at end
  where order_id = new.id and state = 'open';
  return null;
end $$;
