import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import { refuseStep } from './advance-order.ts'
import type { Deps } from '../deps.ts'
import { type Order, orderOf } from './order-view.ts'

/**
 * By either side. Under the lock of the offer: of a simultaneous cancellation and payment only one takes
 * effect.
 */
export const cancelOrder: Handler<typeof offers.operations.cancel_order, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const [row] = await sql<{ outcome: string; view: Order | null }>`/* offers.cancel_order */
    select outcome, view from cancel_order(${workspace}, ${id}, ${now()}, ${byJson(call.by)})`
  eventWritten()
  if (!row?.view) throw refuseStep(row?.outcome ?? 'not_found', 'cancel')
  return { body: orderOf(row.view) }
}
