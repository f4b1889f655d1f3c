/** Which offers a page of the list has. */
import type { OfferState } from '@svc/contract/published-offers'
import type { Sql } from '@svc/runtime/database'

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

/**
 * Where few offers are in a state, all others would be read for one page. So many are, at most; the next page goes on
 * from there.
 */
export const maxScanned = 5000

interface Row {
  id: string
  /** From 1, among those that were looked at. */
  place: number
  fits: boolean
}

/** @returns ids, newest first; `next` the last one that was looked at, null where there are no more */
export async function findOffers(
  sql: Sql,
  wanted: OffersWanted,
): Promise<{ ids: string[]; next: string | null }> {
  const rows = await scan(sql, wanted)
  const found = rows.filter(({ fits }) => fits)
  const ids = found.slice(0, wanted.limit).map(({ id }) => id)
  const last = rows.at(-1)
  if (found.length > wanted.limit) return { ids, next: ids.at(-1) ?? null }
  return { ids, next: last?.place === maxScanned ? last.id : null }
}

/** One statement for each index that may lead: one for all would be planned once, for any of them. */
function scan(sql: Sql, wanted: OffersWanted): Promise<Row[]> {
  const { workspace, after, limit, now } = wanted
  const { state = null, product_id = null, offer_channel_id = null, idempotency_key } = wanted
  if (idempotency_key !== undefined) {
    return sql<Row>`
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
    return sql<Row>`
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
    return sql<Row>`
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
  return sql<Row>`
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
