-- Up Migration

-- Clusters that are deleted, or soon will be: whether one is, is decided here, where the orders are, and for good. `removed`:
-- so it is in compute as well.
create table closed_clusters (
  customer_workspace_id text not null,
  cluster_id text not null,
  closed_at timestamptz not null default now(),
  removed boolean not null default false,
  primary key (customer_workspace_id, cluster_id)
);
create index on closed_clusters (closed_at) where not removed;

-- Held while an order comes to refer to a cluster, and while it is found out that none does. Locked first, looked second:
-- each statement of these functions sees what was committed before it began.
create function cluster_lock(cluster text) returns bigint language sql immutable as $$
  select hashtextextended(cluster, 0)
$$;

-- Closes a cluster to orders, unless an install or an order under way refers to it. As it is written down and by no clock,
-- since that of another replica may say that an order goes on.
create function close_cluster(workspace text, cluster text, out used_install text, out used_order text)
language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock(cluster_lock(cluster));
  select id into used_install from installs
  where customer_workspace_id = workspace and cluster_id = cluster and removed_at is null
  limit 1;
  select id into used_order from orders
  where customer_workspace_id = workspace and cluster_id = cluster
    and state in ('open', 'awaiting_approval', 'awaiting_checkout')
  limit 1;
  if used_install is null and used_order is null then
    insert into closed_clusters (customer_workspace_id, cluster_id) values (workspace, cluster) on conflict do nothing;
  end if;
end $$;

-- Down Migration
drop function close_cluster, cluster_lock;
drop table closed_clusters;
