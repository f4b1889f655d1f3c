import type { offers } from '@svc/contract/offers/offers'
import type { Handler, Reply } from '@svc/contract/core/operation'
import { cursorAt, idRange } from '@svc/runtime/cursor'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { findOrders } from './find-orders.ts'
import { listedTerms, soldName } from '../offers/offer-columns.ts'
import { byId, isWanted } from '../scanned-page.ts'

type Page = Reply<typeof offers.operations.list_orders>['body']

/** Two statements, since an order may hold field values that a list does not show. */
export const listOrders: Handler<typeof offers.operations.list_orders, Deps> = async (
  { query: { cursor, order, ...filter } },
  { workspace },
  { sql, now },
) => {
  const range = idRange('order', { cursor, order, ...filter })
  const { ids, next } = await findOrders(sql, { ...filter, workspace, range, now: now() })
  const next_cursor = next && cursorAt(next)
  if (ids.length === 0) return { body: { data: [], next_cursor } }
  // Filters by state again, so that an order that has just changed is not listed in its old state.
  const data = await sql<Page['data'][number]>`/* offers.list_orders_found */
    select o.id, order_reference(o.id) as reference, ${soldName(fragment`f`)} as name, s.now_state as state,
      o.offer_id, f.short_hash, f.product_id, f.package_version_id,
      o.workspace_id as seller_workspace_id, o.customer_workspace_id as workspace_id,
      jsonb_build_object('id', o.holder, 'email', o.email) as ordered_by, o.cluster_id,
      order_checkout(o.id, o.checkout_provider) as checkout,
      ${listedTerms(fragment`f`)}, case when o.workspace_id = ${workspace} then f.customer end as customer,
      order_reason(o.state, o.reason, s.now_state) as reason, i.id as install_id,
      floor(o.expires_at / 1000.0)::bigint as expires_at,
      unix_seconds(o.created_at) as created_at,
      unix_seconds(o.updated_at) as updated_at
    from orders o join offers f on f.id = o.offer_id left join installs i on i.order_id = o.id
    cross join lateral (select order_state(o, ${now()}) as now_state) s
    where o.id = any (${ids}::text[]) and ${isWanted(fragment`s.now_state`, filter.state)}
    order by o.id ${byId(range)}`
  return { body: { data, next_cursor } }
}
