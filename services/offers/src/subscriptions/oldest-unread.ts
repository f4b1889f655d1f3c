import type { Sql } from '@svc/runtime/database'

/** @returns for how many seconds Stripe was not read about a live subscription, the one that waits longest */
export async function oldestUnread(sql: Sql, now: number): Promise<number> {
  const [oldest] = await sql<{ at: number }>`/* offers.oldest_unread_subscription */
    select coalesce(read_at, known_at) as at from subscriptions
    where provider = 'stripe' and ended_at is null
    order by coalesce(read_at, known_at) limit 1`
  return oldest ? Math.max(0, now / 1000 - oldest.at) : 0
}
