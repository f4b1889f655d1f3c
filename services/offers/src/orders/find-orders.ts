import type { OrderState } from '@svc/contract/offers/orders'
import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { isWanted, pageOfScan, type ScannedPage, type ScannedRow, scanPage } from '../scanned-page.ts'

export interface OrdersWanted {
  readonly workspace: string
  readonly relation: 'placed' | 'received'
  readonly after: string
  readonly limit: number
  readonly now: number
  readonly offer_id?: string
  readonly state?: OrderState
}

export const findOrders = async (sql: Sql, wanted: OrdersWanted): Promise<ScannedPage> =>
  pageOfScan(await scan(sql, wanted), wanted.limit)

/**
 * One statement per leading index: a single statement would have one plan for all of them. The outermost limit ends
 * the scan as soon as the page is full. The offer's owner is checked first and once, so nothing of another
 * workspace's offer is scanned.
 */
function scan(sql: Sql, wanted: OrdersWanted): Promise<ScannedRow[]> {
  const { workspace, relation, after, limit, offer_id } = wanted
  const page = (where: Fragment) =>
    scanPage({ from: fragment`orders o`, where, fits: fits(wanted), after, limit })
  if (relation === 'placed') {
    return sql`/* offers.find_orders_placed */ ${page(fragment`o.customer_workspace_id = ${workspace}`)}`
  }
  const received = fragment`o.workspace_id = ${workspace}`
  if (offer_id !== undefined) {
    return sql`/* offers.find_orders_of_offer */ ${page(fragment`
      o.offer_id = ${offer_id} and ${received}
      and exists (select from offers where workspace_id = ${workspace} and id = ${offer_id})`)}`
  }
  return sql`/* offers.find_orders_received */ ${page(received)}`
}

const fits = ({ offer_id, state, now }: OrdersWanted): Fragment => fragment`
  ${isWanted(fragment`o.offer_id`, offer_id)} and ${isWanted(fragment`order_state(o, ${now})`, state)}`
