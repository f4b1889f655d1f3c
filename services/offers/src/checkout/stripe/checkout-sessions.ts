import type { Sql } from '@svc/runtime/database'
import { fragment } from '@svc/runtime/sql-fragment'

export interface CheckoutSession {
  readonly order_id: string
  readonly attempt: number
  readonly request: Record<string, unknown>
  readonly id: string | null
  readonly url: string | null
  readonly state: 'open' | 'processing' | 'paid' | 'cancel_due' | 'refund_due' | 'refunded' | 'closed'
  readonly amount: number | null
  readonly subscription: string | null
  readonly invoice: string | null
  readonly tries: number
}

export interface SessionName {
  readonly id: string | null
  readonly order_id: string | null
  readonly attempt: number | null
}

/**
 * Stores Stripe's answer, unless the session is no longer wanted.
 *
 * @returns whether the order can be paid there; if the order has ended, its session is ended soon
 */
export async function storeSession(
  sql: Sql,
  { order_id, attempt }: { order_id: string; attempt: number },
  { id, url }: { id: string; url: string },
  now: number,
): Promise<boolean> {
  const stored = await sql<{ payable: boolean }>`/* offers.store_session */
    update checkout_sessions s set id = ${id}, url = ${url}
    from orders o
    where s.order_id = ${order_id} and s.attempt = ${attempt} and s.state = 'open' and (s.id is null or s.id = ${id})
      and o.id = s.order_id
    returning order_state(o, ${now}) = 'awaiting_checkout' as payable`
  return stored[0]?.payable ?? false
}

const named = ({ id, order_id, attempt }: SessionName) => fragment`
  named as (
    select order_id, attempt from checkout_sessions where id = ${id}
    union
    select order_id, attempt from checkout_sessions
    where order_id = ${order_id} and attempt = ${attempt} and id is null
  )`

/** For sessions that nobody paid or can pay. A paid session stays paid. */
export async function closeSession(sql: Sql, name: SessionName): Promise<boolean> {
  const closed = await sql`/* offers.close_session */
    with ${named(name)}
    update checkout_sessions s set state = 'closed', due_at = null
    from named n
    where s.order_id = n.order_id and s.attempt = n.attempt and s.state in ('open', 'processing')
    returning s.order_id`
  return closed.length > 0
}

/** The payment failed. The subscription exists and would keep collecting, so it must be cancelled. */
export async function failSession(
  sql: Sql,
  name: SessionName & { readonly id: string },
  subscription: string,
  now: number,
): Promise<boolean> {
  const failed = await sql`/* offers.fail_session */
    with ${named(name)}
    update checkout_sessions s set
      state = 'cancel_due', id = ${name.id}, subscription = ${subscription}, due_at = ${now}, tries = 0
    from named n
    where s.order_id = n.order_id and s.attempt = n.attempt
      and (s.state in ('open', 'processing') or s.state = 'closed' and s.subscription is null)
    returning s.order_id`
  return failed.length > 0
}

/** Like `closeSession`, for the process that claimed it, unless its state has changed since. */
export const closeClaimed = (sql: Sql, { order_id, attempt, state }: CheckoutSession) =>
  sql`/* offers.close_claimed_session */
    update checkout_sessions set state = 'closed', due_at = null
    where order_id = ${order_id} and attempt = ${attempt} and state = ${state}`

/** Stripe's answer was lost, or has been an error for a day. */
export const abandonSession = (sql: Sql, order_id: string, attempt: number) =>
  sql`/* offers.abandon_session */
    update checkout_sessions set state = 'closed', due_at = null
    where order_id = ${order_id} and attempt = ${attempt} and state = 'open' and id is null`

const lookAgainMs = 24 * 60 * 60 * 1000

export async function markProcessing(sql: Sql, id: string, now: number): Promise<boolean> {
  const marked = await sql`/* offers.mark_session_processing */
    update checkout_sessions set state = 'processing', due_at = ${now + lookAgainMs}, tries = 0
    where id = ${id} and state = 'open'
    returning order_id`
  return marked.length > 0
}

/** Postpones a session for which nothing can be done now. `tries` is the new count. */
export const lookAgain = (
  sql: Sql,
  { order_id, attempt, state }: CheckoutSession,
  tries: number,
  now: number,
) =>
  sql`/* offers.look_again_at_session */
    update checkout_sessions set due_at = ${now + lookAgainMs}, tries = ${tries}
    where order_id = ${order_id} and attempt = ${attempt} and state = ${state}`
