/**
 * Finds or creates the one session at which an order is paid, for any number of concurrent requests.
 *
 * A session can be paid only at its URL, which nobody learns before it is stored as the order's session. So after a
 * lost answer the session is requested again with the same idempotency key; abandoning a session with an unknown
 * URL is harmless; and if a URL is known, another session begins only after Stripe has confirmed that the first one
 * is over.
 */
import { refusal } from '@svc/contract/core/errors'
import type { CheckoutDeps, OrderToPay } from '../checkout.ts'
import { abandonSession, type CheckoutSession, storeSession } from './checkout-sessions.ts'
import { applySession } from './apply-session.ts'
import { StripeFailure } from './stripe-failure.ts'
import type { StripeCheckout } from './stripe-payments.ts'
import { sessionEnd, sessionRequest } from './stripe-session.ts'
import { wrongState } from '../../orders/wrong-state.ts'

/** Milliseconds reserved for storing the answer. */
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
