-- How many a workspace has; of what is counted row by row, more than `most` are not counted.
create or replace function quota_use(wanted text, workspace text, most bigint) returns bigint
language plpgsql stable set search_path from current as $$
begin
  if wanted = 'offers' then
    return (select coalesce(sum(s.offers), 0) from quota_sums s where s.workspace_id = workspace);
  elsif wanted = 'offer_bytes' then
    return (select coalesce(sum(s.offer_bytes), 0) from quota_sums s where s.workspace_id = workspace);
  elsif wanted = 'packages' then
    return (select count(*) from (select from packages where workspace_id = workspace limit most + 1) counted);
  elsif wanted = 'package_versions' then
    return (select count(*) from (select from package_versions where workspace_id = workspace limit most + 1) counted);
  elsif wanted = 'products' then
    return (select count(*) from (select from products where workspace_id = workspace limit most + 1) counted);
  elsif wanted = 'offer_channels' then
    return (select count(*) from (select from offer_channels where workspace_id = workspace limit most + 1) counted);
  elsif wanted = 'channel_policies' then
    return (
      select count(*) from (
        select from offer_channels c join channel_policies p on p.offer_channel_id = c.id
        where c.workspace_id = workspace limit most + 1
      ) counted
    );
  elsif wanted = 'orders_placed' then
    return (
      select count(*) from (
        select from orders where customer_workspace_id = workspace and is_under_way(state) limit most + 1
      ) counted
    );
  end if;
  return null;
end $$;
