import type { OrderState } from '@svc/contract/offers/orders'
import type { IdRange } from '@svc/runtime/cursor'
import type { Sql } from '@svc/runtime/database'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { soldName } from '../offers/offer-columns.ts'
import {
  hasText,
  isWanted,
  isWithin,
  pageOfScan,
  type ScannedPage,
  type ScannedRow,
  scanPage,
} from '../scanned-page.ts'

export interface OrdersWanted {
  readonly workspace: string
  readonly relation: 'placed' | 'received'
  readonly range: IdRange
  readonly limit: number
  readonly now: number
  readonly offer_id?: string
  readonly product_id?: string
  readonly customer_id?: string
  readonly after?: number
  readonly before?: number
  readonly text?: string
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
  const { workspace, relation, range, limit, offer_id, customer_id } = wanted
  const page = (where: Fragment) =>
    scanPage({ from: fragment`orders o`, where, fits: fits(wanted), range, limit })
  if (relation === 'placed') {
    return sql`/* offers.find_orders_placed */ ${page(fragment`o.customer_workspace_id = ${workspace}`)}`
  }
  const received = fragment`o.workspace_id = ${workspace}`
  if (offer_id !== undefined) {
    return sql`/* offers.find_orders_of_offer */ ${page(fragment`
      o.offer_id = ${offer_id} and ${received}
      and exists (select from offers where workspace_id = ${workspace} and id = ${offer_id})`)}`
  }
  if (customer_id !== undefined) {
    return sql`/* offers.find_orders_of_customer */ ${page(fragment`
      ${received} and o.customer_workspace_id = ${customer_id}`)}`
  }
  return sql`/* offers.find_orders_received */ ${page(received)}`
}

const fits = ({
  relation,
  offer_id,
  product_id,
  customer_id,
  state,
  now,
  text,
  ...times
}: OrdersWanted) => fragment`
  ${isWanted(fragment`o.offer_id`, offer_id)}
  and ${isWanted(fragment`o.customer_workspace_id`, customer_id)}
  and ${isWithin(fragment`o.created_at`, times)}
  and ${isWanted(fragment`order_state(o, ${now})`, state)}
  and ${isWanted(ofOffer(fragment`f.product_id`), product_id)}
  and ${hasText(fragment`o.id, order_reference(o.id), o.email, ${relation === 'placed' ? name : nameAndSellersTexts}`, text)}`

const ofOffer = (texts: Fragment) => fragment`(select ${texts} from offers f where f.id = o.offer_id)`
const name = ofOffer(soldName(fragment`f`))

/** Customers must not find out what is in these. */
const nameAndSellersTexts = ofOffer(fragment`concat_ws(' ', ${soldName(fragment`f`)},
  f.customer ->> 'display_name', f.customer ->> 'external_id', f.internal_note, f.notes)`)
