// Paid installs on two replicas of the service, and a Stripe whose clock is theirs.
import { newId } from '@svc/runtime/id'
import {
  secretKey,
  signature,
  startStripe,
  webhookSecret,
  eventText,
} from '@svc/testing/stripe/stripe-server'
import { createStripeCheckout } from '../../src/checkout/stripe/stripe-checkout.ts'
import { receiveStripeEvent } from '../../src/checkout/stripe/receive-stripe-event.ts'
import { followNextDispute } from '../../src/subscriptions/stripe/follow-disputes.ts'
import { followNext } from '../../src/subscriptions/stripe/follow-subscriptions.ts'
import { newCustomer, shareOffers } from '../running-offers.ts'

export async function startSubscriptionScene() {
  const running = await shareOffers()
  const { sql, clock } = running
  const errors: unknown[] = []
  const log = { info() {}, warn() {}, error: (facts: object) => void errors.push(facts) }
  const stripe = await startStripe({ now: clock.now })
  const checkout = createStripeCheckout(
    { secretKey, webhookSecret, apiBase: stripe.url, publicUrl: 'http://localhost' },
    log,
  )
  const sqlOf = (replica: number) =>
    (running.replicas[replica] as (typeof running.replicas)[number]).database.sql
  const options = (replica: number) => ({
    sql: () => sqlOf(replica),
    now: clock.now,
    stripe: checkout,
    eventWritten() {},
  })

  /** An install whose first month has just been paid. */
  async function newPaid(provider: 'manual' | 'stripe', grace_days = 7, by = newCustomer()) {
    const customer = { ...by, role: 'owner' } as typeof by
    const offer = await running.newOffer({ way: 'checkout' })
    await sql`update offers.offers set terms = terms || ${sql.json({ grace_days })} where id = ${offer.id}`
    const { id: order } = (await running.order(offer.short_hash, customer)).body
    await running.submit(order, customer)
    const subscription = `sub_${newId('inst')}`
    if (provider === 'manual') await running.pay(order)
    else {
      await sql`update offers.orders set checkout_provider = 'stripe' where id = ${order}`
      await sql`
        insert into offers.checkout_sessions (order_id, attempt, request, id, state, begun_at, ends_at)
        values (${order}, 1, '{}', ${`cs_${order}`}, 'open', 1, 1)`
      stripe.subscriptions.start(subscription, { currency: 'eur', amount_total: 100, interval: 'month' })
      const paid = {
        id: `cs_${order}`,
        order_id: order,
        attempt: 1,
        amount: 100,
        currency: 'eur',
        subscription,
      }
      await sqlOf(0)`select settle_payment(${sqlOf(0).json(paid)}, null, ${newId('inst')}, ${clock.now()})`
    }
    const { install_id } = (await running.getOrder(order, customer)).body
    return { id: String(install_id), customer, subscription }
  }

  return {
    ...running,
    stripe,
    /** What was logged as an error. */
    errors,
    newPaid,
    follow: (replica = 0) => followNext(options(replica)),
    followDispute: (replica = 0) => followNextDispute(options(replica)),
    async view(id: string) {
      const { body } = await running.ask('get_install', running.internal, { params: { id } })
      return body.subscription as Record<string, unknown>
    },
    portalDeps: () => ({ sql: sqlOf(0), stripe: checkout, call: { deadline: Date.now() + 60_000 } }),
    /** What Stripe sends; of its object only the id is right. */
    message(type: string, subscription: string, replica = 0) {
      const lie = { id: subscription, status: 'active', parent: { subscription_details: { subscription } } }
      const body = new TextEncoder().encode(eventText(type, lie))
      const header = signature(new TextDecoder().decode(body), { timestamp: Math.floor(clock.now() / 1000) })
      return receiveStripeEvent(
        { headers: { 'stripe-signature': header }, body } as never,
        {} as never,
        { sql: sqlOf(replica), now: clock.now, stripe: checkout } as never,
      )
    },
    /** Types of events of an install, without `subscriptions.`. */
    async told(id: string) {
      const types = await running.eventTypes(id)
      return types.flatMap(type =>
        type.startsWith('subscriptions.') ? type.replace('subscriptions.', '') : [],
      )
    },
    passDays: (days: number) => running.pass(days * 24 * 60),
    /** Lets the sweep and the loop do all that is due. */
    async settle() {
      while (await running.sweep()) {}
      while (await followNext(options(0))) {}
    },
    async stop() {
      await stripe.stop()
    },
  }
}
