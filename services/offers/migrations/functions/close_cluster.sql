-- Closes a cluster to orders, unless an install or an order under way refers to it. As it is written down and by no clock,
-- since that of another replica may say that an order goes on.
create or replace function close_cluster(workspace text, cluster text, out used_install text, out used_order text)
language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock(cluster_lock(cluster));
  select id into used_install from installs
  where customer_workspace_id = workspace and cluster_id = cluster and removed_at is null
  limit 1;
  select id into used_order from orders
  where customer_workspace_id = workspace and cluster_id = cluster and is_under_way(state)
  limit 1;
  if used_install is null and used_order is null then
    insert into closed_clusters (customer_workspace_id, cluster_id) values (workspace, cluster) on conflict do nothing;
  end if;
end $$;
