import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { refuseStep } from './advance-order.ts'
import type { Deps } from './deps.ts'
import { type Order, orderOf } from './order-view.ts'

/** By either side. Under the lock of the offer: of a cancellation and a payment at once one happens. */
export const cancelOrder: Handler<typeof offers.operations.cancel_order, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now, eventWritten },
) => {
  const [row] = await sql<{ outcome: string; view: Order | null }>`
    select outcome, view from cancel_order(${workspace}, ${id}, ${now()})`
  eventWritten()
  if (!row?.view) throw refuseStep(row?.outcome ?? 'not_found', 'cancel')
  return { body: orderOf(row.view) }
}
