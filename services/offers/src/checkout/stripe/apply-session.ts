import { newId } from '@svc/runtime/id'
import type { CheckoutDeps } from '../checkout.ts'
import { closeSession, failSession, markProcessing, type SessionName } from './checkout-sessions.ts'
import type { StripeSession } from './stripe-session.ts'

export type ApplySessionResult =
  | 'done'
  | 'cancel_due'
  | 'refund_due'
  | 'not_the_price'
  | 'repeated'
  | 'not_found'
  | 'processing'
  | 'closed'
  | 'open'

/**
 * Subscription states, https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses; in other
 * states the money may still arrive.
 */
const collectionFailed = ['past_due', 'unpaid', 'canceled', 'incomplete_expired']

type SessionDeps = Pick<CheckoutDeps, 'sql' | 'now' | 'eventWritten'>

export async function applySession(
  deps: SessionDeps,
  session: StripeSession,
  event: string | null,
): Promise<ApplySessionResult> {
  if (session.status === 'expired') return endSession(deps, session)
  if (session.status !== 'complete') return 'open'
  if (session.payment_status === 'unpaid') {
    if (collectionFailed.includes(session.subscription_status ?? '')) return failPayment(deps, session)
    return (await markProcessing(deps.sql, session.id, deps.now())) ? 'processing' : 'repeated'
  }
  return settlePayment(deps, session, event)
}

export async function endSession({ sql }: SessionDeps, session: StripeSession): Promise<ApplySessionResult> {
  return (await closeSession(sql, nameOf(session))) ? 'closed' : 'repeated'
}

export async function failPayment(deps: SessionDeps, session: StripeSession): Promise<ApplySessionResult> {
  if (session.subscription === null) return endSession(deps, session)
  const name = { ...nameOf(session), id: session.id }
  return (await failSession(deps.sql, name, session.subscription, deps.now())) ? 'cancel_due' : 'repeated'
}

async function settlePayment(
  { sql, now, eventWritten }: SessionDeps,
  session: StripeSession,
  event: string | null,
): Promise<ApplySessionResult> {
  const { amount_total: amount, currency, subscription, invoice } = session
  const paid = { ...nameOf(session), amount, currency, subscription, invoice }
  const [settled] = await sql<{ outcome: ApplySessionResult }>`/* offers.settle_payment */
    select outcome from settle_payment(${sql.json(paid)}, ${event}, ${newId('inst')}, ${now()})`
  eventWritten()
  return settled?.outcome ?? 'not_found'
}

function nameOf({ id, metadata }: StripeSession): SessionName {
  const { order_id = null, attempt } = metadata ?? {}
  return { id, order_id, attempt: attempt && /^\d{1,9}$/.test(attempt) ? Number(attempt) : null }
}
