import type { Sql } from '@svc/runtime/database'

/** One more than can be requested, since the clocks of replicas differ. */
const keptDays = 91
const batchSize = 5000

/** @param at Unix milliseconds */
export async function purgeEventCounts(sql: Sql, at: number): Promise<boolean> {
  const removed = await sql`/* activity.purge_event_counts */
    delete from event_counts where ctid = any (array(
      select ctid from event_counts
      where day < (to_timestamp(${at / 1000}) at time zone 'UTC')::date - ${keptDays}::int
      order by day limit ${batchSize} for update skip locked
    ))
    returning 1`
  return removed.length === batchSize
}
