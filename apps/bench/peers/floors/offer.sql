-- What PostgreSQL alone takes for the creation of an offer with its key, as one statement:
--
--   PGPASSWORD=… pgbench -n -M prepared -f offer.sql -c 32 -j 2 -T 3 \
--     -D workspace_id=ws_… -D product_id=prod_… -D package_version_id=pkgv_… -h 127.0.0.1 -p … -U postgres <database>
--
-- Ids are as long as the product's, and as sorted by time; the row is that of the workload `product`.
\set a random(0, 1099511627775)
\set b random(0, 68719476735)
\set c random(0, 281474976710655)
with fresh as (
  select
    'offer_' || to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint) || '0000'
      || lpad(to_hex(:a::bigint), 10, '0') || 'z' as id,
    lpad(to_hex(:c::bigint), 12, '0') as short_hash,
    lpad(to_hex(:a::bigint), 12, '0') || '-' || lpad(to_hex(:b::bigint), 10, '0') || '-'
      || lpad(to_hex(:c::bigint), 12, '0') as key,
    p.workspace_id, p.id as product_id, p.current_version_id as version_id
  from offers.products p
  where p.workspace_id = :workspace_id::text and p.id = :product_id::text and p.current_version_id = :package_version_id::text
), taken as (
  insert into offers.idempotency_keys (
    workspace_id, key, intent, package_version_id, offer_id, short_hash, created_at
  )
  select workspace_id, key, repeat('0123456789abcdef', 4), version_id, id, short_hash, now() from fresh
  on conflict (workspace_id, key) do update set key = excluded.key
  returning offer_id
)
insert into offers.offers (
  id, workspace_id, short_hash, product_id, package_version_id, allowed_emails, field_values, customer,
  internal_note, notes, commercial_mode, pricing_request, terms, max_uses, order_ttl_minutes, created_by, created_at
)
select id, workspace_id, short_hash, product_id, version_id,
  array['buyer@example.com', 'second.buyer@example.com'], '{}'::jsonb,
  '{"display_name": "Example Customer Ltd.", "external_id": "crm-000123"}'::jsonb,
  rpad('', 120, 'An internal note of the seller. '), rpad('', 120, 'A note for the customer, as is. '), 'paid',
  '{"currency": "eur", "unit_amount": 4900, "interval": "month"}'::jsonb,
  '{"approval": "automatic", "checkout": "none", "support": null, "commercial_mode": "paid", "price": {"currency": "eur", "unit_amount": 4900, "interval": "month"}}'::jsonb,
  5, 60, '{"kind": "api_token", "id": "tok_01jd7x8q4eak5v6z2m9t3c0wrh", "role": "member"}'::jsonb, now()
from fresh join taken on taken.offer_id = fresh.id
returning id, short_hash;
