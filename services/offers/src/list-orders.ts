import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from './deps.ts'
import type { Order } from './order-view.ts'

export const listOrders: Handler<typeof offers.operations.list_orders, Deps> = async (
  { query: { limit, cursor, relation, offer_id = null, state = null } },
  { workspace },
  { sql, now },
) => {
  const after = afterCursor(cursor, 'order')
  const rows =
    relation === 'placed'
      ? await sql<{ view: Order }>`
          select order_view(o.id, ${now()}) as view from orders o
          where o.customer_workspace_id = ${workspace} and o.id < ${after}
            and (${offer_id}::text is null or o.offer_id = ${offer_id})
            and (${state}::text is null or order_state(o, ${now()}) = ${state})
          order by o.id desc limit ${limit + 1}`
      : await sql<{ view: Order }>`
          select order_view(o.id, ${now()}) as view from orders o
          where o.workspace_id = ${workspace} and o.id < ${after}
            and (${offer_id}::text is null or o.offer_id = ${offer_id})
            and (${state}::text is null or order_state(o, ${now()}) = ${state})
          order by o.id desc limit ${limit + 1}`
  return {
    body: pageOf(
      rows.map(({ view }) => view),
      limit,
    ),
  }
}
