import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { readChanged } from './read-changed.ts'

export const resumeSubscription: Handler<typeof offers.operations.resume_subscription, Deps> = async (
  { params: { id } },
  { workspace },
  deps,
) => {
  const { sql, now, call } = deps
  const [changed] = await sql<{ outcome: string }>`/* offers.resume_subscription */
    select resume_subscription(${workspace}, ${id}, ${now()}, ${byJson(call.by)}) as outcome`
  return readChanged(deps, workspace, id, changed?.outcome)
}
