-- Readers of the other partitions wait behind this for as long as somebody reads them all, such as a dump of the database: so it
-- gives way soon, and is tried again.
create or replace function remove_partition(partition text) returns void
language plpgsql volatile set search_path from current set lock_timeout = '200ms' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions of events', 0));
  execute format('drop table if exists %I', partition);
end $$;
