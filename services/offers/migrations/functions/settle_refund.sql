-- The money is back where it came from.
create or replace function settle_refund(wanted text, wanted_attempt integer) returns void
language plpgsql set search_path from current as $$
declare
  o orders;
begin
  select * into o from orders where id = wanted for no key update;
  update checkout_sessions set state = 'refunded', due_at = null
  where order_id = wanted and attempt = wanted_attempt and state = 'refund_due';
  if found then
    perform write_event(
      o.id, 'events.orders.refunded', order_event(o.workspace_id, o.customer_workspace_id, o.offer_id),
      by_system('stripe'), null
    );
  end if;
end $$;
