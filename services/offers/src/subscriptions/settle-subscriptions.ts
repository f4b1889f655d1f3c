import type { Sql } from '@svc/runtime/database'

const atOnce = 500

/**
 * Writes the events of states that time has caused.
 *
 * @returns how many subscriptions it examined
 */
export async function settleSubscriptions(sql: Sql, now: number): Promise<number> {
  const [settled] = await sql<{ count: number }>`/* offers.settle_subscriptions */
    select settle_subscriptions(array(
      select install_id from subscriptions where turns_at <= ${Math.floor(now / 1000)}
      order by turns_at limit ${atOnce} for no key update skip locked
    ), ${now}) as count`
  return settled?.count ?? 0
}
