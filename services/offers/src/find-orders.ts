/** Which orders a page of the list has. */
import type { OrderState } from '@svc/contract/orders'
import type { Sql } from '@svc/runtime/database'
import { maxScanned, pageOfScan, type ScannedPage, type ScannedRow } from './scanned-page.ts'

export interface OrdersWanted {
  readonly workspace: string
  readonly relation: 'placed' | 'received'
  /** Ids below this one. */
  readonly after: string
  readonly limit: number
  /** Unix milliseconds, for the state. */
  readonly now: number
  readonly offer_id?: string
  readonly state?: OrderState
}

export const findOrders = async (sql: Sql, wanted: OrdersWanted): Promise<ScannedPage> =>
  pageOfScan(await scan(sql, wanted), wanted.limit)

/**
 * One statement for each index that may lead: one for all would be planned once, for any of them. The outermost limit
 * ends the walk as soon as the page is full. Of another workspace's offer nothing is walked: whose it is is asked once, and
 * first.
 */
function scan(sql: Sql, wanted: OrdersWanted): Promise<ScannedRow[]> {
  const { workspace, relation, after, limit, now, offer_id = null, state = null } = wanted
  if (relation === 'placed') {
    return sql<ScannedRow>`
      select id, place, fits
      from (
        select o.id, row_number() over (order by o.id desc) as place,
          (${offer_id}::text is null or o.offer_id = ${offer_id}) and (${state}::text is null or order_state(o, ${now}) = ${state}) as fits
        from orders o
        where o.customer_workspace_id = ${workspace} and o.id < ${after}
        order by o.id desc
        limit ${maxScanned}
      ) looked_at
      where fits or place = ${maxScanned}
      order by id desc
      limit ${limit + 1}`
  }
  if (offer_id !== null) {
    return sql<ScannedRow>`
      select id, place, fits
      from (
        select o.id, row_number() over (order by o.id desc) as place,
          (${state}::text is null or order_state(o, ${now}) = ${state}) as fits
        from orders o
        where o.offer_id = ${offer_id} and o.workspace_id = ${workspace} and o.id < ${after}
          and exists (select from offers where workspace_id = ${workspace} and id = ${offer_id})
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
      select o.id, row_number() over (order by o.id desc) as place,
        (${state}::text is null or order_state(o, ${now}) = ${state}) as fits
      from orders o
      where o.workspace_id = ${workspace} and o.id < ${after}
      order by o.id desc
      limit ${maxScanned}
    ) looked_at
    where fits or place = ${maxScanned}
    order by id desc
    limit ${limit + 1}`
}
