-- Until when an install whose next period is not paid goes on: Unix seconds, null where it is not known until when it was paid.
create or replace function grace_until(s subscriptions) returns bigint language sql immutable as $$
  select s.paid_through + s.grace_days * 86400
$$;
