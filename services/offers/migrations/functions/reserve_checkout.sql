-- A place where an order can be paid, or the one that it has. `outcome`: reserved, to be asked for at Stripe; known, its
-- `url` is the answer; over, Stripe has to say first what became of it; not_found; manual; else the state of the order.
create or replace function reserve_checkout(
  acting_workspace text, wanted text, asked jsonb, session_ends_at bigint, now_ms bigint,
  out outcome text, out session checkout_sessions
) language plpgsql set search_path from current as $$
declare
  o orders;
begin
  select * into o from orders where id = wanted and customer_workspace_id = acting_workspace for no key update;
  outcome := case
    when o.id is null then 'not_found'
    when order_state(o, now_ms) <> 'awaiting_checkout' then order_state(o, now_ms)
    when o.checkout_provider <> 'stripe' then 'manual'
  end;
  if outcome is not null then
    return;
  end if;
  -- What Stripe did not answer for so long is asked for no more: it would be refused by now for ending too soon. Should it
  -- exist, nobody knows where.
  update checkout_sessions set state = 'closed', due_at = null
  where order_id = wanted and state = 'open' and id is null and begun_at < now_ms - 240000;
  select * into session from checkout_sessions where order_id = wanted and state in ('open', 'processing');
  if not found then
    insert into checkout_sessions (order_id, attempt, request, state, begun_at, ends_at, due_at)
    select wanted, coalesce(max(s.attempt), 0) + 1, asked, 'open', now_ms, session_ends_at, o.expires_at
    from checkout_sessions s where s.order_id = wanted
    returning * into session;
  end if;
  outcome := case
    when session.id is null then 'reserved'
    when session.state = 'open' and session.ends_at <= now_ms then 'over'
    else 'known'
  end;
end $$;
