import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { channelColumns, type OfferChannelRow } from './channel-columns.ts'
import type { Deps } from '../../deps.ts'

export const getOfferChannel: Handler<typeof offers.operations.get_offer_channel, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<OfferChannelRow>`/* offers.get_offer_channel */
    select ${channelColumns}
    from offer_channels where workspace_id = ${workspace} and id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: found }
}
