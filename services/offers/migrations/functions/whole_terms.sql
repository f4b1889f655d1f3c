-- Of an offer or a policy: older ones lack what was added since.
create or replace function whole_terms(written jsonb) returns jsonb language sql immutable parallel safe as $$
  select '{"entitlements": {}, "licence_days": 30}'::jsonb || written
$$;
