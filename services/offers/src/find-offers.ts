/** Which offers a page of the list has. */
import type { OfferState } from '@svc/contract/published-offers'
import type { Sql } from '@svc/runtime/database'
import { maxScanned, pageOfScan, type ScannedPage, type ScannedRow } from './scanned-page.ts'

export interface OffersWanted {
  readonly workspace: string
  /** Ids below this one. */
  readonly after: string
  readonly limit: number
  /** Unix milliseconds, for the state. */
  readonly now: number
  readonly product_id?: string
  readonly offer_channel_id?: string
  readonly state?: OfferState
  readonly idempotency_key?: string
}

export const findOffers = async (sql: Sql, wanted: OffersWanted): Promise<ScannedPage> =>
  pageOfScan(await scan(sql, wanted), wanted.limit)

/** One statement for each index that may lead: one for all would be planned once, for any of them. */
function scan(sql: Sql, wanted: OffersWanted): Promise<ScannedRow[]> {
  const { workspace, after, limit, now } = wanted
  const { state = null, product_id = null, offer_channel_id = null, idempotency_key } = wanted
  if (idempotency_key !== undefined) {
    return sql<ScannedRow>`
      select o.id, 1 as place, true as fits
      from idempotency_keys k join offers o on o.workspace_id = k.workspace_id and o.id = k.offer_id
      where k.workspace_id = ${workspace} and k.key = ${idempotency_key} and o.id < ${after}
        and (${product_id}::text is null or o.product_id = ${product_id})
        and (${offer_channel_id}::text is null or o.offer_channel_id = ${offer_channel_id})
        and (${state}::text is null
          or offer_state(o, ${now}) = ${state})`
  }
  // The outermost limit ends the walk along the index as soon as the page is full. Of what is another workspace's nothing
  // is walked: the question after it is asked once, and first.
  if (offer_channel_id !== null) {
    return sql<ScannedRow>`
      select id, place, fits
      from (
        select o.id, row_number() over (order by o.id desc) as place,
          (${product_id}::text is null or o.product_id = ${product_id}) and (${state}::text is null
            or offer_state(o, ${now}) = ${state}) as fits
        from offers o
        where o.offer_channel_id = ${offer_channel_id} and o.workspace_id = ${workspace} and o.id < ${after}
          and exists (select from offer_channels where workspace_id = ${workspace} and id = ${offer_channel_id})
        order by o.id desc
        limit ${maxScanned}
      ) looked_at
      where fits or place = ${maxScanned}
      order by id desc
      limit ${limit + 1}`
  }
  if (product_id !== null) {
    return sql<ScannedRow>`
      select id, place, fits
      from (
        select o.id, row_number() over (order by o.id desc) as place, (${state}::text is null
          or offer_state(o, ${now}) = ${state}) as fits
        from offers o
        where o.product_id = ${product_id} and o.workspace_id = ${workspace} and o.id < ${after}
          and exists (select from products where workspace_id = ${workspace} and id = ${product_id})
        order by o.id desc
        limit ${maxScanned}
      ) looked_at
      where fits or place = ${maxScanned}
      order by id desc
      limit ${limit + 1}`
  }
  return sql<ScannedRow>`
    select id, place, fits
    from (
      select o.id, row_number() over (order by o.id desc) as place, (${state}::text is null
        or offer_state(o, ${now}) = ${state}) as fits
      from offers o
      where o.workspace_id = ${workspace} and o.id < ${after}
      order by o.id desc
      limit ${maxScanned}
    ) looked_at
    where fits or place = ${maxScanned}
    order by id desc
    limit ${limit + 1}`
}
