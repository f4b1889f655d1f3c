import { bySystem } from '@svc/contract/core/actor'
import type { Sql } from '@svc/runtime/database'
import { intoOutbox } from '@svc/runtime/outbox/outbox'

const soonMs = 30 * 60_000
const atOnce = 500

/**
 * If an order's last step left it less time than that, the event of the step announces it.
 *
 * @param now Unix milliseconds
 * @returns how many orders it examined
 */
export async function announceExpiringOrders(sql: Sql, now: number): Promise<number> {
  const examined = await sql`/* offers.announce_expiring_orders */
    with announced as (
      update orders o set told_expires_at = o.expires_at
      where o.id = any (array(
        select id from orders
        where state in ('awaiting_approval', 'awaiting_checkout') and told_expires_at is distinct from expires_at
          and expires_at <= ${now + soonMs}::bigint
        order by expires_at limit ${atOnce} for no key update skip locked
      ))
      returning o.id, o.workspace_id, o.customer_workspace_id, o.offer_id,
        o.expires_at > ${now}::bigint and o.updated_at < to_timestamp((o.expires_at - ${soonMs}) / 1000.0) as is_news
    ), event as (
      ${intoOutbox(bySystem('end_orders'))}
      id, 'events.orders.ends_soon', order_event(workspace_id, customer_workspace_id, offer_id)
      from announced where is_news
    )
    select id from announced`
  return examined.length
}
