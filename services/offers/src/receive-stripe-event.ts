/** POST /webhooks/stripe: https://docs.stripe.com/webhooks. What is not answered with success comes again, for three days. */
import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type Stripe from 'stripe'
import type { Deps } from './deps.ts'
import { endSession, failPayment, type Heeded, heedSession } from './heed-session.ts'
import type { StripeCheckout } from './stripe-checkout.ts'
import { toldSession } from './stripe-session.ts'

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
      message: 'The signature is not that of this body, or too old.',
    })
  }
  const outcome = await heed(event, deps)
  if (outcome === 'unreadable') throw unreadable(event, stripe)
  const level = levels[outcome] ?? 'info'
  stripe.log[level]({ stripe_event_id: event.id, type: event.type, outcome }, 'a message of Stripe')
  return { body: { received: true } }
}

/** Somebody has to look at these. */
const levels: Partial<Record<string, 'warn' | 'error'>> = {
  not_the_price: 'error',
  not_found: 'warn',
}

/** Stripe may speak of money here. It sends the message again for three days, in which this can be mended. */
function unreadable({ id, type }: Stripe.Event, { log, firstOf }: StripeCheckout) {
  if (firstOf(id)) log.error({ stripe_event_id: id, type, outcome: 'unreadable' }, 'a message of Stripe')
  return refusal('unavailable', {
    message: 'The object of this message cannot be read. Send it again later.',
  })
}

const completions = ['checkout.session.completed', 'checkout.session.async_payment_succeeded']
const expired = 'checkout.session.expired'
const failed = 'checkout.session.async_payment_failed'

async function heed(
  { id, type, data }: Stripe.Event,
  deps: Deps,
): Promise<Heeded | 'not_heeded' | 'unreadable'> {
  if (![...completions, expired, failed].includes(type)) return 'not_heeded'
  const session = toldSession.safeParse(data?.object)
  if (!session.success) return 'unreadable'
  if (type === expired) return endSession(deps, session.data)
  if (type === failed) return failPayment(deps, session.data)
  return heedSession(deps, session.data, id)
}
