import type { Price } from '@svc/contract/offers/channel-policy'
import type { Sql } from '@svc/runtime/database'
import { leaseEnd } from '../../claim-lease.ts'

export interface ClaimedSubscription {
  readonly install_id: string
  readonly subscription: string
  readonly wanted: 'cancel_at_period_end' | 'cancel_now' | 'resume' | null
  readonly wants: number
  readonly claims: number
  readonly check_at: number
  readonly tries: number
  readonly price: Price
  /** What the reading before found. */
  readonly problem: string | null
}

/** Claims the subscription that has waited longest; only the last claim may write what it reads. */
export async function claimSubscription(sql: Sql, now: number): Promise<ClaimedSubscription | undefined> {
  const [claimed] = await sql<ClaimedSubscription>`/* offers.claim_subscription */
    with due as materialized (
      select install_id from subscriptions where check_at <= ${now} order by check_at limit 1
      for no key update skip locked
    )
    update subscriptions s set tries = s.tries + 1, claims = s.claims + 1, check_at = ${leaseEnd(now)}
    from due, installs i, offers f
    where s.install_id = due.install_id and i.id = s.install_id and f.id = i.offer_id
    returning s.install_id, s.subscription, s.wanted, s.wants, s.claims, s.check_at, s.tries, s.problem,
      f.terms -> 'price' as price`
  return claimed
}
