/** Tells, once for each time at which an order would expire, that it does so soon while it waits for somebody. */
import { bySystem } from '@svc/contract/core/actor'
import type { Sql } from '@svc/runtime/database'
import { intoOutbox } from '@svc/runtime/outbox/outbox'

const soonMs = 30 * 60_000
const atOnce = 500

/**
 * An order whose last step left it less time than that is told of by the event of the step.
 *
 * @param now Unix milliseconds
 * @returns how many it has looked at
 */
export async function tellEnding(sql: Sql, now: number): Promise<number> {
  const looked = await sql`/* offers.tell_ending_orders */
    with ending as materialized (
      select id from orders
      where state in ('awaiting_approval', 'awaiting_checkout') and told_expires_at is distinct from expires_at
        and expires_at <= ${now + soonMs}::bigint
      order by expires_at limit ${atOnce} for no key update skip locked
    ), told as (
      update orders o set told_expires_at = o.expires_at from ending where o.id = ending.id
      returning o.id, o.workspace_id, o.customer_workspace_id, o.offer_id,
        o.expires_at > ${now}::bigint and o.updated_at < to_timestamp((o.expires_at - ${soonMs}) / 1000.0) as is_news
    ), event as (
      ${intoOutbox(bySystem('end_orders'))}
      id, 'events.orders.ends_soon', order_event(workspace_id, customer_workspace_id, offer_id)
      from told where is_news
    )
    select id from told`
  return looked.length
}
