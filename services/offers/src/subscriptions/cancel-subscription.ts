import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { readChanged } from './read-changed.ts'

export const cancelSubscription: Handler<typeof offers.operations.cancel_subscription, Deps> = async (
  { params: { id }, body: { at = 'period_end' } },
  { workspace },
  deps,
) => {
  const { sql, now, call } = deps
  const [changed] = await sql<{ outcome: string }>`/* offers.cancel_subscription */
    select cancel_subscription(${workspace}, ${id}, ${at === 'now'}, ${now()}, ${byJson(call.by)}) as outcome`
  return readChanged(deps, workspace, id, changed?.outcome)
}
