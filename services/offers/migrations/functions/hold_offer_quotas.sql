-- A trigger's, of each statement that makes offers. Each connection adds to a slot of its own, or nearly. What others write at the same moment is not seen, so a workspace may
-- get over its number by as much as was under way.
create or replace function hold_offer_quotas() returns trigger language plpgsql volatile set search_path from current as $$
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
