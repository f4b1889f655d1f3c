-- The subscription of an install whose order was paid, up to the end of its first period.
create or replace function start_subscription(i installs, check_at bigint) returns setof subscriptions
language sql set search_path from current as $$
  insert into subscriptions (
    install_id, workspace_id, customer_workspace_id, provider, subscription, grace_days, first_paid_at, paid_through, known_at, check_at
  )
  select i.id, i.workspace_id, i.customer_workspace_id, o.checkout_provider, c.subscription,
    coalesce((f.terms ->> 'grace_days')::integer, 7), unix_seconds(i.created_at),
    period_end(unix_seconds(i.created_at), f.terms #>> '{price,interval}', unix_seconds(i.created_at)),
    check_at / 1000, case when o.checkout_provider = 'stripe' then check_at end
  from orders o join offers f on f.id = o.offer_id
  left join checkout_sessions c on c.order_id = o.id and c.state = 'paid'
  where o.id = i.order_id and f.terms #>> '{price,interval}' is not null
    and case o.checkout_provider when 'stripe' then c.subscription is not null when 'manual' then true else false end
  on conflict do nothing
  returning *
$$;
