import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { type Order, orderOf } from './order-view.ts'

export const getOrder: Handler<typeof offers.operations.get_order, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now },
) => {
  const [found] = await sql<{ view: Order }>`/* offers.get_order */
    select order_view(o.id, ${now()}) as view from orders o
    where o.id = ${id} and ${workspace} in (o.workspace_id, o.customer_workspace_id)`
  if (!found) throw refusal('not_found')
  return { body: orderOf(found.view) }
}
