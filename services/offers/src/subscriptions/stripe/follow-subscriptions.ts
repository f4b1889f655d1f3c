/** Does at Stripe what is wanted of subscriptions, and reads what Stripe has. */
import type { Sql } from '@svc/runtime/database'
import type { WorkLoop } from '@svc/runtime/work-loop'
import { attemptMs, manyTries, startClaimLoop } from '../../claim-lease.ts'
import type { SessionFinisherOptions } from '../../checkout/stripe/finish-sessions.ts'
import { StripeFailure } from '../../checkout/stripe/stripe-failure.ts'
import { type ClaimedSubscription, claimSubscription } from './claim-subscription.ts'
import { type Reading, readSubscription } from './read-subscription.ts'

const readAgainMs = 24 * 60 * 60 * 1000

export function startSubscriptionFollower(options: SessionFinisherOptions): WorkLoop {
  const { log } = options.stripe
  return startClaimLoop({
    name: 'follow_subscriptions',
    finishNext: () => followNext(options),
    log,
    metrics: options.metrics,
  })
}

/** @returns whether there was one */
export async function followNext(options: SessionFinisherOptions): Promise<boolean> {
  const { sql, now, stripe, eventWritten } = options
  const claimed = await claimSubscription(sql(), now())
  if (!claimed) return false
  const { install_id, tries } = claimed
  try {
    const { reading, refusal } = await follow(claimed, options)
    if (refusal) {
      stripe.log.error(
        { install_id, wanted: claimed.wanted, ...refusal.facts },
        'Stripe refuses a change of a subscription, will ask again within a day',
      )
    }
    if (reading.problem && reading.problem !== claimed.problem) {
      stripe.log.error(
        { install_id, problem: reading.problem },
        'a subscription at Stripe is not as expected',
      )
    }
    await record(sql(), refusal ? { ...claimed, wants: notDone } : claimed, reading, now())
    eventWritten()
  } catch (error) {
    const facts = error instanceof StripeFailure ? error.facts : { err: error }
    const level = tries >= manyTries ? 'error' : 'warn'
    stripe.log[level]({ install_id, tries, ...facts }, 'subscription not read, will retry')
  }
  return true
}

/** Never the number of a wish: what is wanted stays so. */
const notDone = -1

async function follow(
  claimed: ClaimedSubscription,
  options: SessionFinisherOptions,
): Promise<{ reading: Reading; refusal?: StripeFailure | undefined }> {
  const { now, stripe } = options
  const deadline = Date.now() + attemptMs
  const { subscription, price } = claimed
  try {
    const refusal = await change(claimed, options, deadline)
    const reading = readSubscription(await stripe.retrieveSubscription(subscription, deadline), price, now())
    // Where it has ended meanwhile there is nothing left to change.
    const hasEnded = 'status' in reading && reading.ended_at !== null
    return { reading, refusal: hasEnded ? undefined : refusal }
  } catch (error) {
    if (!(error instanceof StripeFailure) || error.code !== 'resource_missing') throw error
    return { reading: { problem: 'unknown_to_stripe', read_at: Math.floor(now() / 1000) } }
  }
}

/** @returns Stripe's refusal, if there was one */
async function change(
  { install_id, subscription, wanted, wants }: ClaimedSubscription,
  { sql, stripe }: SessionFinisherOptions,
  deadline: number,
): Promise<StripeFailure | undefined> {
  if (!wanted) return undefined
  try {
    await stripe.changeSubscription(subscription, wanted, `subscription:${install_id}:${wants}`, deadline)
    return undefined
  } catch (error) {
    if (error instanceof StripeFailure && error.kind === 'refused') return error
    // Stripe repeats this answer for a day, unless the key is another one.
    if (error instanceof StripeFailure && error.kind === 'fault') {
      await sql()`/* offers.ask_stripe_anew */
        update subscriptions set wants = wants + 1 where install_id = ${install_id} and wants = ${wants}`
    }
    throw error
  }
}

async function record(sql: Sql, claimed: ClaimedSubscription, reading: Reading, now: number): Promise<void> {
  const { install_id, claims, wants, check_at } = claimed
  const nextAt = Math.floor(now + readAgainMs * (0.5 + Math.random() / 2))
  await sql`/* offers.record_subscription */
    select record_subscription(
      ${install_id}, ${claims}, ${wants}, ${check_at}, ${sql.json(reading)}, ${nextAt}, ${now}
    )`
}
