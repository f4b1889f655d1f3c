import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { readChanged } from './read-changed.ts'

export const confirmSubscriptionPayment: Handler<
  typeof offers.operations.confirm_subscription_payment,
  Deps
> = async ({ params: { id }, body: { after, paid_through = null } }, { workspace }, deps) => {
  const { sql, now, call } = deps
  const [changed] = await sql<{ outcome: string }>`/* offers.confirm_subscription_payment */
    select confirm_period(
      ${workspace}, ${id}, ${after}::bigint, ${paid_through}::bigint, ${now()}, ${byJson(call.by)}
    ) as outcome`
  return readChanged(deps, workspace, id, changed?.outcome)
}
