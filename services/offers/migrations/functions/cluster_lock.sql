-- The key of an advisory lock: held while an order comes to refer to a cluster, and while it is found out that none does. Locked first, looked second:
-- each statement of the functions that take it sees what was committed before it began.
create or replace function cluster_lock(cluster text) returns bigint language sql immutable as $$
  select hashtextextended(cluster, 0)
$$;
