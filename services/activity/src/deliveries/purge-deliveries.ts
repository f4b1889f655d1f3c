/** Removes deliveries that ended long ago. */
import type { Sql } from '@svc/runtime/database'

const keptDays = 30
const most = 5000

/** A work loop's round. @param at Unix seconds */
export async function purgeDeliveries(sql: Sql, at: number): Promise<boolean> {
  const removed = await sql`/* activity.purge_deliveries */
    delete from webhook_deliveries where ctid = any (array(
      select ctid from webhook_deliveries
      where created_at < to_timestamp(${at - keptDays * 86_400}) and state <> 'pending' and asked_at is null
      order by created_at limit ${most} for update skip locked
    ))
    returning 1`
  return removed.length === most
}
