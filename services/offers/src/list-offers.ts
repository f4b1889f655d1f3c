import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, cursorAt } from '@svc/runtime/cursor'
import type { Deps } from './deps.ts'
import { findOffers } from './find-offers.ts'
import { type SummaryRow, summaryOf } from './offer-view.ts'

/** First which, then what of them: an offer may hold a lot that a list has no use for. */
export const listOffers: Handler<typeof offers.operations.list_offers, Deps> = async (
  { query: { limit, cursor, ...filter } },
  { workspace },
  { sql, now },
) => {
  const { state = null } = filter
  const after = afterCursor(cursor, 'offer')
  const { ids, next } = await findOffers(sql, { workspace, after, limit, now: now(), ...filter })
  if (ids.length === 0) return { body: { data: [], next_cursor: next && cursorAt(next) } }
  // The state is asked for again: one that changed in between is not listed as what it no longer is.
  const rows = await sql<SummaryRow>`
    select o.id, o.short_hash, o.product_id, o.package_version_id, o.offer_channel_id, o.policy_number, o.customer,
      o.internal_note, o.max_uses, o.expires_at, floor(extract(epoch from o.revoked_at))::bigint as revoked_at,
      floor(extract(epoch from o.created_at))::bigint as created_at, coalesce(o.redeemed, 0) as redeemed,
      held_seats(o.id, ${now()}) as reserved,
      offer_state(o, ${now()}) as state
    from offers o
    where o.workspace_id = ${workspace} and o.id = any(${ids}::text[]) and (
      ${state}::text is null
      or offer_state(o, ${now()}) = ${state}
    )
    order by o.id desc`
  return { body: { data: rows.map(summaryOf), next_cursor: next && cursorAt(next) } }
}
