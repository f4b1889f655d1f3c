-- Up Migration

-- What still refers to a cluster. In a transaction of its own, and the old index goes last: while this one is built the
-- installs are read as ever, and only their writers wait. The column before it locks readers out, too.
create index installs_of_cluster on installs (customer_workspace_id, cluster_id)
  where cluster_id is not null and removed_at is null;
drop index installs_customer_workspace_id_cluster_id_idx;

-- Down Migration
create index on installs (customer_workspace_id, cluster_id) where cluster_id is not null;
drop index installs_of_cluster;
