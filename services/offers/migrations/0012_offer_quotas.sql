-- Up Migration

-- How many offers a workspace has, and their bytes: counted as they come, since there may be very many. In slots, so that
-- connections that write at once do not wait for each other.
create table quota_sums (
  workspace_id text not null,
  slot smallint not null,
  offers bigint not null,
  offer_bytes bigint not null,
  primary key (workspace_id, slot)
) with (fillfactor = 50);

insert into quota_sums (workspace_id, slot, offers, offer_bytes)
select workspace_id, 0, count(*), sum(pg_column_size(o.*)) from offers o group by workspace_id;

alter function quota_use rename to quota_use_of_rows;

create function quota_use(wanted text, workspace text, most bigint) returns bigint
language plpgsql stable set search_path from current as $$
begin
  if wanted = 'offers' then
    return (select coalesce(sum(s.offers), 0) from quota_sums s where s.workspace_id = workspace);
  elsif wanted = 'offer_bytes' then
    return (select coalesce(sum(s.offer_bytes), 0) from quota_sums s where s.workspace_id = workspace);
  end if;
  return quota_use_of_rows(wanted, workspace, most);
end $$;

-- Each connection adds to a slot of its own, or nearly. What others write at the same moment is not seen, so a workspace may
-- get over its number by as much as was under way.
create function hold_offer_quotas() returns trigger language plpgsql volatile set search_path from current as $$
declare
  over record;
begin
  insert into quota_sums as s (workspace_id, slot, offers, offer_bytes)
  select c.workspace_id, pg_backend_pid() % 32, count(*), sum(pg_column_size(c.*)) from created c
  group by c.workspace_id order by c.workspace_id
  on conflict (workspace_id, slot) do update
  set offers = s.offers + excluded.offers, offer_bytes = s.offer_bytes + excluded.offer_bytes;

  select l.quota, l.most into over
  from (
    select s.workspace_id, sum(s.offers) as offers, sum(s.offer_bytes) as offer_bytes
    from quota_sums s where s.workspace_id in (select c.workspace_id from created c) group by s.workspace_id
  ) as used cross join lateral (
    select distinct on (q.quota) q.quota, q.most from quota_limits q
    where q.quota in ('offers', 'offer_bytes') and q.workspace_id in (used.workspace_id, '')
    order by q.quota, q.workspace_id desc
  ) as l
  where case l.quota when 'offers' then used.offers else used.offer_bytes end > l.most
  limit 1;
  if found then
    raise exception 'quota %', over.quota using errcode = 'SV002',
      detail = json_build_object('quota', over.quota, 'most', over.most)::text;
  end if;
  return null;
end $$;

create trigger quota after insert on offers referencing new table as created
for each statement execute function hold_offer_quotas();

-- Down Migration
drop trigger quota on offers;
drop function hold_offer_quotas, quota_use;
alter function quota_use_of_rows rename to quota_use;
drop table quota_sums;
