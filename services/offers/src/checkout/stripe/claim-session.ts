import type { Sql } from '@svc/runtime/database'
import { leaseEnd } from '../../claim-lease.ts'
import type { CheckoutSession } from './checkout-sessions.ts'

export type ClaimedSession = CheckoutSession & { readonly order_state: string }

/**
 * Claims the session that has waited longest, and counts the attempt in `tries`. Skips rows that another replica is
 * claiming.
 */
export async function claimSession(sql: Sql, now: number): Promise<ClaimedSession | undefined> {
  const [claimed] = await sql<ClaimedSession>`/* offers.claim_session */
    with due as materialized (
      select order_id, attempt from checkout_sessions where due_at <= ${now} order by due_at limit 1
      for update skip locked
    )
    update checkout_sessions s set
      tries = s.tries + 1,
      due_at = ${leaseEnd(now)}
    from due, orders o
    where s.order_id = due.order_id and s.attempt = due.attempt and o.id = s.order_id
    returning s.*, order_state(o, ${now}) as order_state`
  return claimed
}
