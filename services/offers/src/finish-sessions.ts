/** Does what is left to do at Stripe: ends the sessions of orders that have ended, asks after money, and sends it back. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '@svc/runtime/database'
import { type ClaimedSession, claimSession } from './claim-session.ts'
import { closeClaimed, closeSession, lookAgain } from './checkout-sessions.ts'
import { heedSession } from './heed-session.ts'
import { type StripeCheckout, unreadable } from './stripe-checkout.ts'
import { StripeFailure } from './stripe-failure.ts'

export interface SessionFinisher {
  /** Takes no more, and gives what is under way some seconds. What is left another replica does, or the next start. */
  stop(): Promise<void>
}

export interface SessionFinisherOptions {
  readonly sql: () => Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly stripe: StripeCheckout
  readonly eventWritten: () => void
}

const lookEveryMs = 1000
const atOnce = 8
/** For one session. Less than its first lease, so that no other replica works on it meanwhile. */
const attemptMs = 20_000
const stopMs = 5000
/** From then on somebody should look at it. */
const manyTries = 8

/** Looks every second. */
export function startSessionFinisher(options: SessionFinisherOptions): SessionFinisher {
  const { log } = options.stripe
  let stopping = false
  let running: Promise<void> | undefined
  const timer = setInterval(look, lookEveryMs)
  timer.unref()
  return {
    async stop() {
      stopping = true
      clearInterval(timer)
      await Promise.race([running, delay(stopMs, undefined, { ref: false })])
    },
  }

  function look() {
    running ??= finishAll().finally(() => {
      running = undefined
    })
  }

  async function finishAll() {
    // The others begin where the first has found something.
    if (!(await finishNext())) return
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (await finishNext()) {}
      }),
    )
  }

  /** Whether there may be another one. */
  async function finishNext(): Promise<boolean> {
    if (stopping) return false
    try {
      const session = await claimSession(options.sql(), options.now())
      if (!session) return false
      await finish(session, options).catch(error => report(session, error))
      return true
    } catch (err) {
      log.warn({ err }, 'sessions that are to be ended cannot be looked for')
      return false
    }
  }

  function report({ order_id, attempt, state, tries }: ClaimedSession, error: unknown) {
    const facts = error instanceof StripeFailure ? error.facts : { err: error }
    const level = tries >= manyTries ? 'error' : 'warn'
    log[level]({ order_id, attempt, tries, ...facts }, failures[state] ?? 'a session is not ended yet')
  }
}

const failures: Partial<Record<ClaimedSession['state'], string>> = {
  processing: 'what became of money on its way is not known yet',
  cancel_due: 'a subscription is not cancelled yet',
  refund_due: 'money does not go back yet',
}

async function finish(session: ClaimedSession, { sql, now, stripe, eventWritten }: SessionFinisherOptions) {
  const { order_id, attempt, id, amount, order_state: orderState } = session
  const deadline = Date.now() + attemptMs
  if (session.state === 'refund_due' && id !== null) {
    await stripe.refund({ ...session, id, amount: amount ?? 0 }, deadline)
    await sql()`select settle_refund(${order_id}, ${attempt})`
    return eventWritten()
  }
  const payable = session.state === 'open'
  // By the clock of another replica it had ended.
  if (payable && orderState === 'awaiting_checkout') return
  // Nobody learnt where to pay.
  if (id === null) return void (await closeSession(sql(), session))
  try {
    // Afterwards nothing is collected any more, and what was before is seen.
    if (session.state === 'cancel_due') await stripe.endSubscription(session, deadline)
    const told = await (payable ? stripe.endSession(id, deadline) : stripe.retrieveSession(id, deadline))
    await heedSession({ sql: sql(), now, eventWritten }, told, null)
    // Where it is still so.
    if (session.state === 'processing') await lookAgain(sql(), session, 0, now())
    if (session.state === 'cancel_due') await closeClaimed(sql(), session)
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error
    if (error.code === unreadable) await lookAgain(sql(), session, session.tries, now())
    if (error.code !== 'resource_missing') throw error
    // It was made with the key of another account, which alone could take the payment.
    stripe.log.error({ order_id, attempt, ...error.facts }, 'Stripe does not know the session of an order')
    await closeClaimed(sql(), session)
  }
}
