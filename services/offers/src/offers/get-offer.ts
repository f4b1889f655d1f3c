import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { columnsAt, detailColumns, summaryColumns } from './offer-columns.ts'
import { type OfferRow, offerReply } from './offer-view.ts'

export const getOffer: Handler<typeof offers.operations.get_offer, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now, checkout },
) => {
  const [found] = await sql<OfferRow>`/* offers.get_offer */
    select ${summaryColumns}, ${columnsAt(now())}, ${detailColumns}
    from offers o where o.workspace_id = ${workspace} and o.id = ${id}`
  if (!found) throw refusal('not_found')
  return offerReply(found, { checkout })
}
