import type { Sql } from '@svc/runtime/database'
import type { WorkLoop } from '@svc/runtime/work-loop'
import type { Metrics } from '@svc/telemetry/metrics'
import { attemptMs, manyTries, startClaimLoop } from '../../claim-lease.ts'
import { type ClaimedSession, claimSession } from './claim-session.ts'
import { closeClaimed, closeSession, lookAgain } from './checkout-sessions.ts'
import { applySession } from './apply-session.ts'
import { unreadable } from './stripe-checkout.ts'
import type { StripeCheckout } from './stripe-payments.ts'
import { StripeFailure } from './stripe-failure.ts'

export interface SessionFinisherOptions {
  readonly sql: () => Sql
  readonly now: () => number
  readonly stripe: StripeCheckout
  readonly eventWritten: () => void
  readonly metrics?: Metrics
}

export function startSessionFinisher(options: SessionFinisherOptions): WorkLoop {
  const { log } = options.stripe
  return startClaimLoop({ name: 'finish_checkout_sessions', finishNext, log, metrics: options.metrics })

  async function finishNext(): Promise<boolean> {
    const session = await claimSession(options.sql(), options.now())
    if (!session) return false
    await finish(session, options).catch(error => report(session, error))
    return true
  }

  function report({ order_id, attempt, state, tries }: ClaimedSession, error: unknown) {
    const facts = error instanceof StripeFailure ? error.facts : { err: error }
    const level = tries >= manyTries ? 'error' : 'warn'
    log[level]({ order_id, attempt, tries, ...facts }, failures[state] ?? 'session not ended, will retry')
  }
}

const failures: Partial<Record<ClaimedSession['state'], string>> = {
  processing: 'state of a payment in progress not known, will retry',
  cancel_due: 'subscription not cancelled, will retry',
  refund_due: 'refund failed, will retry',
}

async function finish(session: ClaimedSession, { sql, now, stripe, eventWritten }: SessionFinisherOptions) {
  const { order_id, attempt, id, amount, order_state: orderState } = session
  const deadline = Date.now() + attemptMs
  if (session.state === 'refund_due' && id !== null) {
    await stripe.refund({ ...session, id, amount: amount ?? 0 }, deadline)
    await sql()`/* offers.settle_refund */ select settle_refund(${order_id}, ${attempt})`
    return eventWritten()
  }
  const payable = session.state === 'open'
  // It had expired only by another replica's clock.
  if (payable && orderState === 'awaiting_checkout') return
  // The payment URL was never issued.
  if (id === null) return void (await closeSession(sql(), session))
  try {
    // Afterwards nothing more is collected, and earlier payments are visible.
    if (session.state === 'cancel_due') await stripe.endSubscription(session, deadline)
    const atStripe = await (payable ? stripe.endSession(id, deadline) : stripe.retrieveSession(id, deadline))
    await applySession({ sql: sql(), now, eventWritten }, atStripe, null)
    if (session.state === 'processing') await lookAgain(sql(), session, 0, now())
    if (session.state === 'cancel_due') await closeClaimed(sql(), session)
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    if (error.code === unreadable) await lookAgain(sql(), session, session.tries, now())
    if (error.code !== 'resource_missing') throw error
    // It was created with another account's key, and only that account can take the payment.
    stripe.log.error({ order_id, attempt, ...error.facts }, 'Stripe does not know the session of an order')
    await closeClaimed(sql(), session)
  }
}
