import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from './deps.ts'
import type { OfferChannelRow } from './get-offer-channel.ts'

export const listOfferChannels: Handler<typeof offers.operations.list_offer_channels, Deps> = async (
  { query: { limit, cursor, product_id } },
  { workspace },
  { sql },
) => {
  const after = afterCursor(cursor, 'och')
  // A statement for each: one for both would be planned once, for the other of them.
  const rows =
    product_id === undefined
      ? await sql<OfferChannelRow>`
          select id, product_id, name, status, active_policy,
      floor(extract(epoch from created_at))::bigint as created_at
          from offer_channels
          where workspace_id = ${workspace} and id < ${after}
          order by id desc
          limit ${limit + 1}`
      : await sql<OfferChannelRow>`
          select id, product_id, name, status, active_policy,
            floor(extract(epoch from created_at))::bigint as created_at
          from offer_channels
          where workspace_id = ${workspace} and product_id = ${product_id} and id < ${after}
          order by id desc
          limit ${limit + 1}`
  return { body: pageOf(rows, limit) }
}
