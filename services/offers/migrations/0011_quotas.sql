-- Up Migration

-- How many of each kind a workspace may have: the common number under '', which the service writes at its start, and those
-- of workspaces that the operator gave another one.
create table quota_limits (
  quota text not null,
  workspace_id text not null,
  most bigint not null check (most >= 0),
  primary key (quota, workspace_id)
);

-- How many a workspace has; more than `most` are not counted.
create function quota_use(wanted text, workspace text, most bigint) returns bigint
language plpgsql stable set search_path from current as $$
declare
  used bigint;
begin
  if wanted = 'packages' then
    select count(*) into used from (select from packages where workspace_id = workspace limit most + 1) counted;
  elsif wanted = 'package_versions' then
    select count(*) into used from (select from package_versions where workspace_id = workspace limit most + 1) counted;
  elsif wanted = 'products' then
    select count(*) into used from (select from products where workspace_id = workspace limit most + 1) counted;
  elsif wanted = 'offer_channels' then
    select count(*) into used from (select from offer_channels where workspace_id = workspace limit most + 1) counted;
  elsif wanted = 'channel_policies' then
    select count(*) into used from (select from offer_channels c join channel_policies p on p.offer_channel_id = c.id where c.workspace_id = workspace limit most + 1) counted;
  elsif wanted = 'orders_placed' then
    select count(*) into used from (select from orders where customer_workspace_id = workspace and state in ('open', 'awaiting_approval', 'awaiting_checkout') limit most + 1) counted;
  end if;
  return used;
end $$;

-- After the row is there, one at a time of a workspace and a kind, each with what the one before it committed.
create function hold_quota() returns trigger language plpgsql volatile set search_path from current as $$
declare
  wanted text := tg_argv[0];
  workspace text := case tg_argv[1]
    -- The one of its channel.
    when 'offer_channel_id' then (
      select c.workspace_id from offer_channels c where c.id = to_jsonb(new) ->> 'offer_channel_id'
    )
    else to_jsonb(new) ->> tg_argv[1]
  end;
  allowed bigint;
  used bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('quota ' || wanted || ' ' || workspace, 0));
  select most into allowed from quota_limits
  where quota = wanted and workspace_id in (workspace, '') order by workspace_id desc limit 1;
  if not found then
    return null;
  end if;
  used := quota_use(wanted, workspace, allowed);
  if used > allowed then
    raise exception 'quota %', wanted using errcode = 'SV002',
      detail = json_build_object('quota', wanted, 'most', allowed)::text;
  end if;
  return null;
end $$;

create index orders_under_way on orders (customer_workspace_id)
where state in ('open', 'awaiting_approval', 'awaiting_checkout');
create trigger quota after insert on packages for each row execute function hold_quota('packages', 'workspace_id');
create trigger quota after insert on package_versions for each row execute function hold_quota('package_versions', 'workspace_id');
create trigger quota after insert on products for each row execute function hold_quota('products', 'workspace_id');
create trigger quota after insert on offer_channels for each row execute function hold_quota('offer_channels', 'workspace_id');
create trigger quota after insert on channel_policies for each row execute function hold_quota('channel_policies', 'offer_channel_id');
create trigger quota after insert on orders for each row execute function hold_quota('orders_placed', 'customer_workspace_id');

-- Down Migration
drop trigger quota on packages;
drop trigger quota on package_versions;
drop trigger quota on products;
drop trigger quota on offer_channels;
drop trigger quota on channel_policies;
drop trigger quota on orders;
drop index orders_under_way;
drop function hold_quota, quota_use;
drop table quota_limits;
