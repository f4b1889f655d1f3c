/** POST /webhooks/stripe: https://docs.stripe.com/webhooks. Stripe resends unsuccessful events for three days. */
import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type Stripe from 'stripe'
import type { Deps } from '../../deps.ts'
import { endSession, failPayment, type ApplySessionResult, applySession } from './apply-session.ts'
import {
  markSubscription,
  noteDispute,
  subscriptionOf,
} from '../../subscriptions/stripe/mark-subscription.ts'
import type { StripeCheckout } from './stripe-payments.ts'
import { stripeSession } from './stripe-session.ts'

export const receiveStripeEvent: Handler<typeof offers.operations.receive_stripe_event, Deps> = async (
  { headers, body },
  _caller,
  deps,
) => {
  const { stripe, now } = deps
  if (!stripe) throw refusal('unknown_route')
  const event = stripe.readEvent(body, headers['stripe-signature'], now())
  if (!event) {
    throw refusal('invalid_header', {
      path: ['Stripe-Signature'],
      message: 'The signature does not match this body, or is too old.',
    })
  }
  const outcome = await apply(event, deps)
  if (outcome === 'unreadable') throw unreadable(event, stripe)
  const level = levels[outcome] ?? 'info'
  stripe.log[level]({ stripe_event_id: event.id, type: event.type, outcome }, 'Stripe event')
  return { body: { received: true } }
}

const levels: Partial<Record<string, 'warn' | 'error'>> = {
  not_the_price: 'error',
  not_found: 'warn',
}

/** This may be about money. Stripe resends the event for three days, during which this can be fixed. */
function unreadable({ id, type }: Stripe.Event, { log, firstOf }: StripeCheckout) {
  if (firstOf(id)) log.error({ stripe_event_id: id, type, outcome: 'unreadable' }, 'Stripe event')
  return refusal('unavailable', {
    message: 'The object of this event cannot be read. Send it again later.',
  })
}

const completions = ['checkout.session.completed', 'checkout.session.async_payment_succeeded']
const expired = 'checkout.session.expired'
const failed = 'checkout.session.async_payment_failed'

async function apply(
  { id, type, data }: Stripe.Event,
  deps: Deps,
): Promise<ApplySessionResult | 'ignored' | 'unreadable' | 'marked'> {
  const subscription = subscriptionOf(type, data?.object)
  if (subscription !== undefined) return markSubscription(subscription, deps)
  if (type === 'charge.dispute.created') return noteDispute(data?.object, deps)
  if (![...completions, expired, failed].includes(type)) return 'ignored'
  const session = stripeSession.safeParse(data?.object)
  if (!session.success) return 'unreadable'
  if (type === expired) return endSession(deps, session.data)
  if (type === failed) return failPayment(deps, session.data)
  return applySession(deps, session.data, id)
}
