import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/** @param offer the alias of the offer */
export const soldName = (offer: Fragment) => fragment`coalesce(
  (select p.name from products p where p.id = ${offer}.product_id),
  (select k.name from package_versions v join packages k on k.id = v.package_id where v.id = ${offer}.package_version_id))`

export const summaryColumns = fragment`
  o.id, o.short_hash, ${soldName(fragment`o`)} as name, o.product_id, o.package_version_id, o.offer_channel_id, o.policy_number, o.customer,
  o.internal_note, o.max_uses, o.expires_at, unix_seconds(o.revoked_at) as revoked_at,
  unix_seconds(o.created_at) as created_at, coalesce(o.redeemed, 0) as redeemed`

export const listedTerms = (offer: Fragment) => fragment`jsonb_build_object(
  'commercial_mode', ${offer}.terms -> 'commercial_mode', 'price', ${offer}.terms -> 'price') as terms`

export const columnsAt = (now: number) => fragment`
  held_seats(o.id, ${now}) as reserved, offer_state(o, ${now}) as state`

export const detailColumns = fragment`
  to_jsonb(o.allowed_emails) as allowed_emails, o.field_values, o.commercial_mode, o.pricing_request, o.notes,
  o.order_ttl_minutes, o.tier, whole_terms(o.terms) as terms, o.created_by, coalesce(o.allow_api_tokens, false) as allow_api_tokens,
  offer_etag(o) as etag`
