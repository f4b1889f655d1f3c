import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import type { OfferChannelRow } from './get-offer-channel.ts'

/** Offers that are being made verify by their own statement that the policy still is the active one. */
export const activateChannelPolicy: Handler<typeof offers.operations.activate_channel_policy, Deps> = async (
  { params: { id, number } },
  { workspace },
  { sql },
) => {
  if (!/^[1-9]\d{0,8}$/.test(number)) throw refusal('not_found')
  const [changed] = await sql<OfferChannelRow>`
    update offer_channels c set active_policy = p.number
    from channel_policies p
    where c.workspace_id = ${workspace} and c.id = ${id}
      and p.offer_channel_id = ${id} and p.number = ${Number(number)}
    returning c.id, c.product_id, c.name, c.status, c.active_policy,
      floor(extract(epoch from c.created_at))::bigint as created_at`
  if (!changed) throw refusal('not_found')
  return { body: changed }
}
