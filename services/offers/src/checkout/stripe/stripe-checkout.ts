import { refusal } from '@svc/contract/core/errors'
import type { Metrics } from '@svc/telemetry/metrics'
import Stripe from 'stripe'
import { createAskStripe, idOf } from './ask-stripe.ts'
import { createPortal } from '../../subscriptions/stripe/open-portal.ts'
import type { CheckoutDeps, OrderToPay } from '../checkout.ts'
import type { StripeConfig } from '../../config.ts'
import { openSession } from './open-session.ts'
import { StripeFailure } from './stripe-failure.ts'
import type { PaidSession, StripeCheckout } from './stripe-payments.ts'
import { type StripeSession, stripeSession } from './stripe-session.ts'

export const unreadable = 'unreadable'

/** The maximum age of a message, which its signature covers, so that nobody can store one and send it later. */
const toleranceSeconds = 300
const maxSeen = 1000

export function createStripeCheckout(
  config: StripeConfig,
  log: StripeCheckout['log'],
  metrics?: Metrics,
): StripeCheckout {
  const ask = createAskStripe(config, metrics)
  const opening = new Map<string, Promise<string>>()
  const seen = new Set<string>()
  const checkout: StripeCheckout = {
    provider: 'stripe',
    publicUrl: config.publicUrl,
    log,
    begin,
    async createSession(request, idempotencyKey, deadline) {
      const { id, url } = await ask(deadline, (stripe, options) =>
        stripe.checkout.sessions.create(request, { ...options, idempotencyKey }),
      )
      if (!url) throw new StripeFailure('fault', { code: 'no_url' })
      return { id, url }
    },
    async endSession(id, deadline) {
      try {
        return read(
          await ask(deadline, (stripe, options) => stripe.checkout.sessions.expire(id, {}, options)),
        )
      } catch (error) {
        if (!(error instanceof StripeFailure) || error.kind !== 'refused') throw error
      }
      return checkout.retrieveSession(id, deadline)
    },
    async retrieveSession(id, deadline) {
      const expand = ['subscription']
      return read(
        await ask(deadline, (stripe, options) => stripe.checkout.sessions.retrieve(id, { expand }, options)),
      )
    },
    retrieveSubscription(id, deadline) {
      const expand = ['latest_invoice']
      return ask(deadline, (stripe, options) => stripe.subscriptions.retrieve(id, { expand }, options))
    },
    async subscriptionOfDispute(id, deadline) {
      const { payment_intent } = await ask(deadline, (stripe, options) =>
        stripe.disputes.retrieve(id, {}, options),
      )
      if (!payment_intent) return undefined
      const payment = { type: 'payment_intent', payment_intent: idOf(payment_intent) } as const
      const { data } = await ask(deadline, (stripe, options) =>
        stripe.invoicePayments.list({ payment, expand: ['data.invoice'], limit: 1 }, options),
      )
      const invoice = data[0]?.invoice
      const parent = typeof invoice === 'object' && 'parent' in invoice ? invoice.parent : null
      return idOf(parent?.subscription_details?.subscription) || undefined
    },
    async changeSubscription(id, change, idempotencyKey, deadline) {
      if (change === 'cancel_now') return endSubscription({ subscription: id }, deadline)
      const cancel_at_period_end = change === 'cancel_at_period_end'
      await ask(deadline, (stripe, options) =>
        stripe.subscriptions.update(id, { cancel_at_period_end }, { ...options, idempotencyKey }),
      )
    },
    openPortal: createPortal(ask),
    endSubscription,
    async refund(paid, deadline) {
      await endSubscription(paid, deadline)
      if (paid.amount > 0)
        for (const payment of await paymentsOf(paid, deadline)) await sendBack(payment, paid, deadline)
    },
    readEvent(bytes, signature, now) {
      try {
        return Stripe.webhooks.constructEvent(
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
          signature,
          config.webhookSecret,
          toleranceSeconds,
          undefined,
          now,
        )
      } catch {
        return undefined
      }
    },
    firstOf(event) {
      if (seen.has(event)) return false
      seen.add(event)
      for (const oldest of seen) {
        if (seen.size <= maxSeen) break
        seen.delete(oldest)
      }
      return true
    },
  }
  return checkout

  function begin(order: OrderToPay, deps: CheckoutDeps): Promise<string> {
    const url =
      opening.get(order.id) ??
      openSession(order, checkout, deps)
        .catch(error => {
          throw unavailable(error, order)
        })
        .finally(() => opening.delete(order.id))
    opening.set(order.id, url)
    return url
  }

  function unavailable(error: unknown, { id }: OrderToPay): unknown {
    if (!(error instanceof StripeFailure)) return error
    const level = error.kind === 'refused' ? 'error' : 'warn'
    log[level]({ order_id: id, ...error.facts }, 'could not start a checkout')
    return refusal('unavailable', { message: 'The payment cannot be started right now. Try again.' })
  }

  async function endSubscription({ subscription }: Pick<PaidSession, 'subscription'>, deadline: number) {
    if (subscription === null) return
    try {
      await ask(deadline, (stripe, options) => stripe.subscriptions.cancel(subscription, {}, options))
    } catch (error) {
      // This request does not find a subscription that has ended.
      if (!(error instanceof StripeFailure) || error.code !== 'resource_missing') throw error
    }
  }

  async function paymentsOf(
    { invoice }: PaidSession,
    deadline: number,
  ): Promise<Stripe.RefundCreateParams[]> {
    if (invoice === null) throw new StripeFailure('refused', { code: 'no_invoice' })
    const { data } = await ask(deadline, (stripe, options) =>
      stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 }, options),
    )
    const found = data.map(({ payment: { payment_intent, charge } }) =>
      payment_intent ? { payment_intent: idOf(payment_intent) } : { charge: idOf(charge) },
    )
    if (found.length === 0) throw new StripeFailure('busy', { code: 'no_payment_yet' })
    return found
  }

  async function sendBack(payment: Stripe.RefundCreateParams, { id, tries }: PaidSession, deadline: number) {
    // Each try has another key, since Stripe repeats its own errors for a day. Stripe refuses to refund the whole
    // amount twice.
    const idempotencyKey = `refund:${id}:${payment.payment_intent ?? payment.charge}:${tries}`
    try {
      const { status } = await ask(deadline, (stripe, options) =>
        stripe.refunds.create(payment, { ...options, idempotencyKey }),
      )
      if (status === 'failed' || status === 'canceled')
        throw new StripeFailure('fault', { code: `refund_${status}` })
    } catch (error) {
      if (!(error instanceof StripeFailure) || error.code !== 'charge_already_refunded') throw error
    }
  }
}

function read(session: Stripe.Checkout.Session): StripeSession {
  const parsed = stripeSession.safeParse(session)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => path.join('.'))
  throw new StripeFailure('fault', { code: unreadable, fields })
}
