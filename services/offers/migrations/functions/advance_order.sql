-- One step of an order: by the customer `submit`, by the seller `approve`, `reject` or `pay`. `detail`: what the step brings
-- with it. `outcome`: done; not_found; not_entitled; paid_elsewhere; cluster_closed; else the state of the order, from which
-- this step does not start, and nothing has changed but what time did. Under the lock of the offer (open_order.sql).
create or replace function advance_order(
  acting_workspace text, acting_holder text, wanted text, step text, detail jsonb, new_install text, now_ms bigint,
  by json, out outcome text, out view jsonb
) language plpgsql set search_path from current as $$
declare
  offer offers;
  o orders;
begin
  select f.* into offer from offers f join orders w on w.offer_id = f.id
  where w.id = wanted and acting_workspace = case
    when step = 'submit' then w.customer_workspace_id else w.workspace_id
  end
  for no key update of f;
  if not found then
    outcome := 'not_found';
    return;
  end if;
  select * into o from orders where id = wanted for no key update;
  -- Who is entitled ordered; colleagues see the order, and may cancel it.
  if step = 'submit' and o.holder <> acting_holder then
    outcome := 'not_entitled';
    return;
  end if;
  outcome := order_state(o, now_ms);
  if outcome <> o.state then
    perform settle_orders(array[wanted], now_ms);
  end if;
  if outcome <> all (case step
    when 'submit' then array['open']
    when 'approve' then array['awaiting_approval']
    when 'reject' then array['awaiting_approval']
    when 'pay' then array['awaiting_checkout']
    else '{}'
  end) then
    return;
  end if;
  if step = 'submit' and detail ->> 'cluster_id' is not null then
    perform pg_advisory_xact_lock_shared(cluster_lock(detail ->> 'cluster_id'));
    if exists (
      select from closed_clusters c
      where c.customer_workspace_id = o.customer_workspace_id and c.cluster_id = detail ->> 'cluster_id'
    ) then
      outcome := 'cluster_closed';
      return;
    end if;
  end if;
  if step = 'pay' and o.checkout_provider <> 'manual' then
    outcome := 'paid_elsewhere';
    return;
  end if;
  o.state := case
    when step = 'reject' then 'rejected'
    when step = 'submit' and offer.terms ->> 'approval' = 'manual' then 'awaiting_approval'
    when step in ('submit', 'approve') and offer.terms ->> 'checkout' = 'required' then 'awaiting_checkout'
    else 'completed'
  end;
  update orders set
    state = o.state,
    field_values = coalesce(detail -> 'field_values', field_values),
    cluster_id = coalesce(detail ->> 'cluster_id', cluster_id),
    reason = detail ->> 'reason',
    checkout_provider = case
      when o.state = 'awaiting_checkout' then detail ->> 'checkout_provider' else checkout_provider
    end,
    -- A step that was made in time is not undone by the time that others take.
    expires_at = case when step in ('submit', 'approve') then order_deadline(offer, now_ms) else expires_at end,
    updated_at = greatest(updated_at, to_timestamp(now_ms / 1000.0))
  where id = wanted returning * into o;
  if o.state = 'completed' then
    perform complete_order(o, new_install, now_ms, outcome, by);
  else
    perform write_event(
      o.id, 'events.orders.' || o.state, order_event(o.workspace_id, o.customer_workspace_id, o.offer_id), by,
      order_changes(outcome, o.state)
    );
  end if;
  outcome := 'done';
  view := order_view(wanted, now_ms);
end $$;
