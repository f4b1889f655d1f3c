import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { type OfferRow, offerOf } from './offer-view.ts'

export const getOffer: Handler<typeof offers.operations.get_offer, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now },
) => {
  const [found] = await sql<OfferRow>`
    select o.id, o.short_hash, o.product_id, o.package_version_id, o.offer_channel_id, o.policy_number, o.customer,
      o.internal_note, o.max_uses, o.expires_at, floor(extract(epoch from o.revoked_at))::bigint as revoked_at,
      floor(extract(epoch from o.created_at))::bigint as created_at, coalesce(o.redeemed, 0) as redeemed,
      held_seats(o.id, ${now()}) as reserved,
      offer_state(o, ${now()}) as state,
      to_jsonb(o.allowed_emails) as allowed_emails, o.field_values, o.commercial_mode, o.pricing_request, o.notes,
      o.order_ttl_minutes, o.tier, o.terms, o.created_by,
      coalesce(o.allow_api_tokens, false) as allow_api_tokens
    from offers o where o.workspace_id = ${workspace} and o.id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: offerOf(found) }
}
