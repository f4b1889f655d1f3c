import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { detailColumns, summaryColumns } from './offer-columns.ts'
import { type OfferRow, offerOf } from './offer-view.ts'

/** The first of concurrent revocations decides the time. Once it replies, no install starts. */
export const revokeOffer: Handler<typeof offers.operations.revoke_offer, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now, eventWritten, call, checkout },
) => {
  const [revoked] = await sql<OfferRow>`/* offers.revoke_offer */
    select ${summaryColumns}, 0 as reserved, 'revoked' as state, ${detailColumns}
    from revoke_offer(${workspace}, ${id}, ${now()}, ${byJson(call.by)}) o`
  if (!revoked) throw refusal('not_found')
  eventWritten()
  return { body: offerOf(revoked, { checkout }) }
}
