-- Whether a secret with this key, the first 64 bits of its hash, is accepted.
create or replace function admits_agent(of_cluster text, key text, at timestamptz) returns boolean
language sql stable set search_path from current as $$
  select exists (
    select from agent_secrets s
    where s.cluster_id = of_cluster and left(encode(s.hash, 'hex'), 16) = key
      and (s.expires_at is null or s.expires_at > at)
  )
$$;
