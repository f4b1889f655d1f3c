-- Up Migration
alter table installs add cluster_id text;
create index on installs (cluster_id) where cluster_id is not null;

-- Down Migration
alter table installs drop cluster_id;
