import type { offers } from '@svc/contract/offers'
import type { Handler, Reply } from '@svc/contract/operation'
import { afterCursor, cursorAt } from '@svc/runtime/cursor'
import type { Deps } from './deps.ts'
import { findOrders } from './find-orders.ts'

type Page = Reply<typeof offers.operations.list_orders>['body']

/** First which, then what of them: an order may hold field values that a list has no use for. */
export const listOrders: Handler<typeof offers.operations.list_orders, Deps> = async (
  { query: { cursor, ...filter } },
  { workspace },
  { sql, now },
) => {
  const { state = null } = filter
  const after = afterCursor(cursor, 'order')
  const { ids, next } = await findOrders(sql, { ...filter, workspace, after, now: now() })
  const next_cursor = next && cursorAt(next)
  if (ids.length === 0) return { body: { data: [], next_cursor } }
  // The state is asked for again: one that changed in between is not listed as what it no longer is.
  const data = await sql<Page['data'][number]>`
    select o.id, s.now_state as state, o.offer_id, f.short_hash, f.product_id, f.package_version_id,
      o.workspace_id as seller_workspace_id, o.customer_workspace_id as workspace_id,
      jsonb_build_object('id', o.holder, 'email', o.email) as ordered_by, o.cluster_id,
      order_checkout(o.id, o.checkout_provider) as checkout,
      order_reason(o.state, o.reason, s.now_state) as reason, i.id as install_id,
      floor(o.expires_at / 1000.0)::bigint as expires_at,
      floor(extract(epoch from o.created_at))::bigint as created_at,
      floor(extract(epoch from o.updated_at))::bigint as updated_at
    from orders o join offers f on f.id = o.offer_id left join installs i on i.order_id = o.id
    cross join lateral (select order_state(o, ${now()}) as now_state) s
    where o.id = any (${ids}::text[]) and (${state}::text is null or s.now_state = ${state})
    order by o.id desc`
  return { body: { data, next_cursor } }
}
