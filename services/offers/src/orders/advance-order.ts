/** One step of an order by the SQL function of this name: under the lock of the offer, or not at all. */
import type { ScopedCaller } from '@svc/contract/core/caller'
import { type ApiError, refusal } from '@svc/contract/core/errors'
import { newId } from '@svc/runtime/id'
import { byJson } from '@svc/runtime/outbox/outbox'
import { unknownCluster } from '../clusters/check-cluster.ts'
import type { Deps } from '../deps.ts'
import { holderOf } from './holder.ts'
import { type Order, orderOf } from './order-view.ts'
import { wrongState } from './wrong-state.ts'

export type Step = 'submit' | 'cancel' | 'approve' | 'reject' | 'pay'

export interface StepDetail {
  readonly field_values?: Record<string, unknown>
  readonly cluster_id?: string | undefined
  readonly reason?: string | undefined
  readonly checkout_provider?: string
}

/**
 * Takes the step if the order is in a state from which it starts.
 *
 * @throws ApiError `NotFound` if the order is not on the caller's side; `Conflict` naming a state that does not
 * allow the step
 */
export async function advanceOrder(
  { sql, now, eventWritten, call }: Deps,
  caller: ScopedCaller,
  order: string,
  step: Step,
  detail: StepDetail = {},
): Promise<Order> {
  const [row] = await sql<{ outcome: string; view: Order | null }>`/* offers.advance_order */
    select outcome, view from advance_order(
      ${caller.workspace}, ${holderOf(caller).holder}, ${order}, ${step}, ${sql.json(detail)}, ${newId('inst')}, ${now()},
      ${byJson(call.by)}
    )`
  eventWritten()
  if (row?.view) return orderOf(row.view)
  throw refuseStep(row?.outcome ?? 'not_found', step)
}

export function refuseStep(outcome: string, step: Step): ApiError {
  if (outcome === 'not_found' || outcome === 'paid_elsewhere') return refusal(outcome)
  if (outcome === 'not_entitled') {
    return refusal('not_entitled', {
      message: 'Only the person or token that placed the order can submit it.',
    })
  }
  if (outcome === 'cluster_closed') return refusal('unknown_reference', unknownCluster)
  return wrongState(step, outcome)
}
