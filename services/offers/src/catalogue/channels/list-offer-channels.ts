import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import { channelColumns, type OfferChannelRow } from './channel-columns.ts'
import type { Deps } from '../../deps.ts'

export const listOfferChannels: Handler<typeof offers.operations.list_offer_channels, Deps> = async (
  { query: { limit, cursor, product_id } },
  { workspace },
  { sql },
) => {
  const after = afterCursor(cursor, 'och')
  // Two statements, because the plan of a single one would suit only one case.
  const rows =
    product_id === undefined
      ? await sql<OfferChannelRow>`/* offers.list_offer_channels */
          select ${channelColumns}
          from offer_channels
          where workspace_id = ${workspace} and id < ${after}
          order by id desc
          limit ${limit + 1}`
      : await sql<OfferChannelRow>`/* offers.list_offer_channels_of_product */
          select ${channelColumns}
          from offer_channels
          where workspace_id = ${workspace} and product_id = ${product_id} and id < ${after}
          order by id desc
          limit ${limit + 1}`
  return { body: pageOf(rows, limit) }
}
