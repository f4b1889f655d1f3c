import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import type { OfferChannelRow } from './get-offer-channel.ts'

export const updateOfferChannel: Handler<typeof offers.operations.update_offer_channel, Deps> = async (
  { params: { id }, body: { name = null, status = null } },
  { workspace },
  { sql },
) => {
  const [changed] = await sql<OfferChannelRow>`
    update offer_channels set name = coalesce(${name}, name), status = coalesce(${status}, status)
    where workspace_id = ${workspace} and id = ${id}
    returning id, product_id, name, status, active_policy,
      floor(extract(epoch from created_at))::bigint as created_at`
  if (!changed) throw refusal('not_found')
  return { body: changed }
}
