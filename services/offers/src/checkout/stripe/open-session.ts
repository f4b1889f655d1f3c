/**
 * The session at which an order is paid: one, of however many that ask and however often.
 *
 * A session is paid at its URL alone, and nobody learns that before it is stored as the one of its order. So a session whose
 * answer was lost is asked for again by the same idempotency key; one that is given up without its URL being known harms
 * nobody; and where a URL is known another session is begun only after Stripe has said that the first is over.
 */
import { refusal } from '@svc/contract/core/errors'
import type { CheckoutDeps, OrderToPay } from '../checkout.ts'
import { abandonSession, type CheckoutSession, storeSession } from './checkout-sessions.ts'
import { applySession } from './apply-session.ts'
import { StripeFailure } from './stripe-failure.ts'
import type { StripeCheckout } from './stripe-payments.ts'
import { sessionEnd, sessionRequest } from './stripe-session.ts'
import { wrongState } from '../../orders/wrong-state.ts'

/** What is kept of the call's time to store the answer. */
const storeMs = 500
const maxRounds = 3

/**
 * @returns its URL
 * @throws StripeFailure; ApiError
 */
export async function openSession(
  order: OrderToPay,
  stripe: StripeCheckout,
  deps: CheckoutDeps,
): Promise<string> {
  const deadline = deps.call.deadline - storeMs
  for (let round = 0; round < maxRounds; round++) {
    const { outcome, ...session } = await reserve(order, stripe, deps)
    if (outcome === 'not_found') throw refusal('not_found')
    if (outcome === 'known' && session.url !== null) return session.url
    if (outcome === 'over' && session.id !== null) {
      await applySession(deps, await stripe.endSession(session.id, deadline), null)
    } else if (outcome === 'reserved') {
      const created = await create(session, stripe, deps, deadline)
      if (await storeSession(deps.sql, session, created, deps.now())) return created.url
    } else throw wrongState('checkout', outcome)
  }
  throw refusal('unavailable')
}

async function reserve(order: OrderToPay, stripe: StripeCheckout, { sql, now }: CheckoutDeps) {
  const endsAt = sessionEnd(order.expires_at, now())
  const request = sessionRequest(order, stripe.publicUrl, endsAt)
  const [reserved] = await sql<CheckoutSession & { outcome: string }>`/* offers.reserve_checkout */
    select outcome, (session).* from reserve_checkout(
      ${order.workspace}, ${order.id}, ${sql.json(request)}, ${endsAt}, ${now()}
    )`
  if (!reserved) throw refusal('not_found')
  return reserved
}

async function create(
  { order_id, attempt, request }: CheckoutSession,
  stripe: StripeCheckout,
  { sql }: CheckoutDeps,
  deadline: number,
) {
  const named = { ...request, metadata: { order_id, attempt } }
  try {
    return await stripe.createSession(named, `checkout:${order_id}:${attempt}`, deadline)
  } catch (error) {
    if (error instanceof StripeFailure && error.kind === 'fault') await abandonSession(sql, order_id, attempt)
    throw error
  }
}
