/** Tells sellers of disputed payments. A dispute alone ends nothing: Stripe may end the subscription, which is read then. */
import type { WorkLoop } from '@svc/runtime/work-loop'
import type { Sql } from '@svc/runtime/database'
import { attemptMs, leaseEnd, manyTries, startClaimLoop } from '../../claim-lease.ts'
import type { SessionFinisherOptions } from '../../checkout/stripe/finish-sessions.ts'
import { StripeFailure } from '../../checkout/stripe/stripe-failure.ts'

export function startDisputeFollower(options: SessionFinisherOptions): WorkLoop {
  const { log } = options.stripe
  return startClaimLoop({
    name: 'follow_disputes',
    finishNext: () => followNextDispute(options),
    log,
    metrics: options.metrics,
  })
}

/** @returns whether there was one */
export async function followNextDispute(options: SessionFinisherOptions): Promise<boolean> {
  const { sql, now, stripe, eventWritten } = options
  const [claimed] = await sql()<{ id: string; tries: number }>`/* offers.claim_dispute */
    with due as materialized (
      select id from disputes where check_at <= ${now()} order by check_at limit 1 for no key update skip locked
    )
    update disputes s set tries = s.tries + 1, check_at = ${leaseEnd(now())}
    from due where s.id = due.id
    returning s.id, s.tries`
  if (!claimed) return false
  const { id, tries } = claimed
  try {
    const subscription = await stripe.subscriptionOfDispute(id, Date.now() + attemptMs)
    // It may come before the payment that it is about is known here; many are about other things of the same account.
    if ((await tell(sql(), id, subscription, tries >= manyTries)) > 0) eventWritten()
  } catch (error) {
    if (error instanceof StripeFailure && error.code === 'resource_missing')
      await tell(sql(), id, undefined, true)
    const facts = error instanceof StripeFailure ? error.facts : { err: error }
    stripe.log[tries >= manyTries ? 'error' : 'warn']({ dispute: id, tries, ...facts }, 'dispute not read')
  }
  return true
}

/** Once, whichever replicas read it. */
async function tell(sql: Sql, id: string, subscription = '', isLast: boolean): Promise<number> {
  const told = await sql`/* offers.tell_dispute */
    with found as materialized (
      select s from subscriptions s where s.subscription = ${subscription}
    ), done as (
      update disputes set check_at = null
      where id = ${id} and check_at is not null and (${isLast || subscription === ''} or exists (select from found))
      returning 1
    )
    select write_event((s).install_id, 'events.subscriptions.disputed', subscription_event(s), by_system('stripe'), null)
    from found, done`
  return told.length
}
