-- Closes a workspace to orders, of its offers and by itself, unless an install or an order under way refers to it. As it is written
-- down and by no clock (close_cluster.sql). Once it is deleted, nothing keeps it open.
create or replace function close_workspace(
  workspace text, closed_until bigint, is_deleted boolean, out used_install text, out used_order text
) language plpgsql set search_path from current as $$
begin
  perform pg_advisory_xact_lock(workspace_lock(workspace));
  if not is_deleted then
    -- In this order: an order that is completed meanwhile is found as its install. The first by its id: for any one, an index of all
    -- orders that are under way may seem as good, and would be read to its end where there is none.
    select id into used_order from (
      (select id from orders where workspace_id = workspace and is_under_way(state) order by id limit 1)
      union all
      (select id from orders where customer_workspace_id = workspace and is_under_way(state) order by id limit 1)
    ) under_way limit 1;
    select id into used_install from (
      (select id from installs where workspace_id = workspace and removed_at is null limit 1)
      union all
      (select id from installs where customer_workspace_id = workspace and removed_at is null limit 1)
    ) live limit 1;
  end if;
  if used_install is null and used_order is null then
    insert into closed_workspaces as c (workspace_id, until) values (workspace, closed_until)
    on conflict (workspace_id) do update set until = greatest(c.until, excluded.until);
  end if;
end $$;
