import type { Sql } from '@svc/runtime/database'
import { queueDigests } from './queue-digests.ts'
import { warnOfExpiry } from './warn-of-expiry.ts'

/** Mail that is due by time, not by an event. @param at Unix seconds */
export async function queueTimedNotices(sql: () => Sql, at: number): Promise<boolean> {
  const warned = await warnOfExpiry(sql(), at)
  const queued = await queueDigests(sql(), at)
  return warned + queued > 0
}
