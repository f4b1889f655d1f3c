import type { CodeName } from '@svc/contract/core/error-codes'
import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { byJson } from '@svc/runtime/outbox/outbox'
import { sqlstate, uniqueViolation } from '@svc/runtime/sqlstate'
import type { Deps } from '../deps.ts'
import { holderOf } from './holder.ts'
import { type Order, orderOf } from './order-view.ts'

/** Seats are exact: the function decides under the lock of the offer (migrations/functions/open_order.sql). */
export const createOrder: Handler<typeof offers.operations.create_order, Deps> = async (
  { params: { short_hash } },
  caller,
  { sql, now, eventWritten, call },
) => {
  const { holder, user, email } = holderOf(caller)
  const open = () => sql<{ outcome: string; view: Order | Elsewhere | null }>`/* offers.create_order */
    select outcome, view from open_order(
      ${newId('order')}, ${short_hash}, ${caller.workspace}, ${holder}, ${user}, ${email}, ${now()}, ${byJson(call.by)}
    )`
  const [opened] = await open().catch(error => {
    // The reference is taken, so another id is drawn: once in a million for a seller with a million orders.
    if (sqlstate(error) === uniqueViolation) return open()
    throw error
  })
  const { outcome = '', view } = opened ?? {}
  eventWritten()
  if (!view) throw refuse(outcome)
  if (!('state' in view)) throw refusal('order_under_way', { metadata: { ...view } })
  return { body: orderOf(view), headers: outcome === 'resumed' ? { 'Idempotent-Replayed': 'true' } : {} }
}

interface Elsewhere {
  readonly order_id: string
  readonly workspace_id: string
}

function refuse(outcome: string) {
  if (outcome !== 'token_refused') return refusal(refusals[outcome] ?? 'not_found')
  return refusal('credential_kind', {
    message:
      'API tokens cannot order from this offer. Sign in, or ask the seller for an offer with allow_api_tokens.',
  })
}

const refusals: Record<string, CodeName> = {
  not_found: 'not_found',
  not_entitled: 'not_entitled',
  revoked: 'offer_revoked',
  expired: 'offer_expired',
  exhausted: 'offer_exhausted',
  held: 'no_seat',
}
