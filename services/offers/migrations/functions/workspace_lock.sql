-- The key of an advisory lock: shared while an order comes to refer to a workspace, and held while it is found out that none does.
create or replace function workspace_lock(workspace text) returns bigint language sql immutable as $$
  select hashtextextended('workspace ' || workspace, 0)
$$;
