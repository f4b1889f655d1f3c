-- Up Migration
-- By what the agent of a cluster comes to the bus: one secret that is live, and one before it that still is for a while.
create table agent_secrets (
  -- SHA-256.
  hash bytea primary key,
  cluster_id text not null references clusters (id) on delete cascade,
  created_at timestamptz not null,
  -- Null: the live one.
  expires_at timestamptz
);
create unique index on agent_secrets (cluster_id, (expires_at is null));

-- A function, so that of two at once the second one sees what the first has left: it begins when it has the cluster.
create function put_agent_secret(of_workspace text, of_cluster text, new_hash bytea, at timestamptz, grace_ends timestamptz)
returns table (previous_expires_at timestamptz) language plpgsql set search_path from current as $$
declare
  retired_until timestamptz;
begin
  perform from clusters c where c.workspace_id = of_workspace and c.id = of_cluster for no key update;
  if not found then
    return;
  end if;
  delete from agent_secrets s where s.cluster_id = of_cluster and (s.expires_at is not null or grace_ends is null);
  update agent_secrets s set expires_at = grace_ends where s.cluster_id = of_cluster
  returning s.expires_at into retired_until;
  insert into agent_secrets (hash, cluster_id, created_at) values (new_hash, of_cluster, at);
  return query select retired_until;
end $$;

-- Whether a secret with this key, the first 64 bits of its hash, is accepted.
create function admits_agent(of_cluster text, key text, at timestamptz) returns boolean
language sql stable set search_path from current as $$
  select exists (
    select from agent_secrets s
    where s.cluster_id = of_cluster and left(encode(s.hash, 'hex'), 16) = key
      and (s.expires_at is null or s.expires_at > at)
  )
$$;

-- Down Migration
drop function admits_agent;
drop function put_agent_secret;
drop table agent_secrets;
