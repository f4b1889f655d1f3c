-- Up Migration
-- Of clusters that were there before, the last change is what is known.
alter table clusters add created_at timestamptz;
update clusters set created_at = updated_at;
alter table clusters alter created_at set default now(), alter created_at set not null;

-- Names one attempt to delete the cluster, and when it was last seen at work: others may join it while it is young.
alter table clusters add deletion text, add deleting_at timestamptz,
  add check ((deletion is null) = (deleting_at is null));

-- Nothing new may refer to a cluster while it is being deleted. An attempt deletes within ten seconds or not at all; the
-- rest of these is for a statement that takes long to be committed. What died between does not block for longer.
create function being_deleted(deleting_at timestamptz) returns boolean language sql volatile as $$
  select coalesce(deleting_at > clock_timestamp() - interval '30 seconds', false)
$$;
create function may_be_deleted(deleting_at timestamptz) returns boolean language sql volatile as $$
  select coalesce(deleting_at > clock_timestamp() - interval '10 seconds', false)
$$;

-- Down Migration
drop function may_be_deleted, being_deleted;
alter table clusters drop deleting_at, drop deletion, drop created_at;
