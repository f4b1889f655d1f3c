-- Makes the subscriptions of installs that were paid before there were any, `most` at a time; answers how many. Stripe is asked
-- about them over a day.
create or replace function adopt_subscriptions(most bigint, now_ms bigint) returns bigint
language sql set search_path from current as $$
  select count(*) from (
    select i as install from installs i join orders o on o.id = i.order_id
    where o.checkout_provider is not null and not exists (select from subscriptions s where s.install_id = i.id)
      and (o.checkout_provider = 'manual' or exists (
        select from checkout_sessions c where c.order_id = o.id and c.state = 'paid' and c.subscription is not null
      ))
    limit most
  ) paid, lateral start_subscription(paid.install, false, now_ms + floor(random() * 86400000)::bigint)
$$;
