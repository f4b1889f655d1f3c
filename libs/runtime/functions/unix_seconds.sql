-- A time as answers have it. Without settings of its own, so that the planner puts its text in place of the call.
create or replace function unix_seconds(at timestamptz) returns bigint language sql stable parallel safe as $$
  select floor(extract(epoch from at))::bigint
$$;
