-- A function, so that of two at once the second one sees what the first has left: it begins when it has the cluster.
create or replace function put_agent_secret(of_workspace text, of_cluster text, new_hash bytea, at timestamptz, grace_ends timestamptz)
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
