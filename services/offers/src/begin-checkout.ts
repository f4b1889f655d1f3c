import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const beginCheckout: Handler<typeof offers.operations.begin_checkout, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now },
) => {
  const [order] = await sql<{ state: string }>`
    select order_state(o, ${now()}) as state from orders o
    where o.id = ${id} and o.customer_workspace_id = ${workspace}`
  if (!order) throw refusal('not_found')
  if (order.state !== 'awaiting_checkout') {
    throw refusal('wrong_state', { metadata: { state: order.state } })
  }
  return { body: { provider: 'manual', url: null } }
}
