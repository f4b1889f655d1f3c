/** What a session as Stripe tells of it means for its order. */
import { newId } from '@svc/runtime/id'
import { closeSession, failSession, markProcessing, type SessionName } from './checkout-sessions.ts'
import type { Deps } from './deps.ts'
import type { ToldSession } from './stripe-session.ts'

export type Heeded =
  | 'done'
  | 'cancel_due'
  | 'refund_due'
  | 'not_the_price'
  | 'repeated'
  | 'not_found'
  | 'processing'
  | 'closed'
  | 'open'

/** Of a subscription, https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses; else its money may yet come. */
const collectionFailed = ['past_due', 'unpaid', 'canceled', 'incomplete_expired']

type HeedDeps = Pick<Deps, 'sql' | 'now' | 'eventWritten'>

/**
 * @param event the id of the message that tells of it, where one does
 */
export async function heedSession(
  deps: HeedDeps,
  session: ToldSession,
  event: string | null,
): Promise<Heeded> {
  if (session.status === 'expired') return endSession(deps, session)
  if (session.status !== 'complete') return 'open'
  if (session.payment_status === 'unpaid') {
    if (collectionFailed.includes(session.subscription_status ?? '')) return failPayment(deps, session)
    return (await markProcessing(deps.sql, session.id, deps.now())) ? 'processing' : 'repeated'
  }
  return settle(deps, session, event)
}

/** The order can be paid anew while it has time, here and below. */
export async function endSession({ sql }: HeedDeps, session: ToldSession): Promise<Heeded> {
  return (await closeSession(sql, nameOf(session))) ? 'closed' : 'repeated'
}

/** The money did not come. */
export async function failPayment(deps: HeedDeps, session: ToldSession): Promise<Heeded> {
  if (session.subscription === null) return endSession(deps, session)
  const name = { ...nameOf(session), id: session.id }
  return (await failSession(deps.sql, name, session.subscription, deps.now())) ? 'cancel_due' : 'repeated'
}

async function settle(
  { sql, now, eventWritten }: HeedDeps,
  session: ToldSession,
  event: string | null,
): Promise<Heeded> {
  const { amount_total: amount, currency, subscription, invoice } = session
  const paid = { ...nameOf(session), amount, currency, subscription, invoice }
  const [settled] = await sql<{ outcome: Heeded }>`
    select outcome from settle_payment(${sql.json(paid)}, ${event}, ${newId('inst')}, ${now()})`
  eventWritten()
  return settled?.outcome ?? 'not_found'
}

function nameOf({ id, metadata }: ToldSession): SessionName {
  const { order_id = null, attempt } = metadata ?? {}
  return { id, order_id, attempt: attempt && /^\d{1,9}$/.test(attempt) ? Number(attempt) : null }
}
