-- Writes down what these subscriptions have become by themselves, with their events; answers how many they are.
create or replace function settle_subscriptions(ids text[], now_ms bigint) returns bigint
language sql set search_path from current as $$
  select count(*) from subscriptions s, lateral tell_subscription(s, s, now_ms, by_system('subscriptions'))
  where s.install_id = any (ids)
$$;
