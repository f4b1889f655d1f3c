-- A table that is attached, as one that is made as a partition would wait for all readers, and they for it.
create or replace function make_partition(partition text, since timestamptz, until timestamptz) returns void
language plpgsql volatile set search_path from current as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions of events', 0));
  if exists (select from pg_inherits where inhparent = 'events'::regclass and inhrelid = to_regclass(partition)) then
    return;
  end if;
  execute format('create table if not exists %I (like events including all)', partition);
  execute format('alter table events attach partition %I for values from (%L) to (%L)', partition, since, until);
end $$;
