import type { Sql } from '@svc/runtime/database'

const atOnce = 500

/** @returns whether there may be more to do at once */
export async function adoptSubscriptions(sql: Sql, now: number): Promise<boolean> {
  const [adopted] = await sql<{ count: number }>`/* offers.adopt_subscriptions */
    select adopt_subscriptions(${atOnce}, ${now}) as count`
  return (adopted?.count ?? 0) >= atOnce
}
