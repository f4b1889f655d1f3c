import { maxCountedOrders } from '@svc/contract/offers/customers/list-customers'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler, Reply } from '@svc/contract/core/operation'
import { cursorAt, idRange } from '@svc/runtime/cursor'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { maxScanned, pageOfScan, type ScannedRow, scanPage } from '../scanned-page.ts'

type Customer = Reply<typeof offers.operations.list_customers>['body']['data'][number]

/** A customer stands where their first order does: whoever orders again meanwhile is neither missed nor repeated. */
export const listCustomers: Handler<typeof offers.operations.list_customers, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const range = idRange('order', { cursor })
  const scanned = await sql<ScannedRow>`/* offers.find_customers */ ${scanPage({
    from: fragment`orders o`,
    where: fragment`o.workspace_id = ${workspace}`,
    fits: fragment`not exists (
      select from orders earlier
      where earlier.workspace_id = o.workspace_id and earlier.customer_workspace_id = o.customer_workspace_id
        and earlier.id < o.id)`,
    range,
    limit,
  })}`
  const { ids, next } = pageOfScan(scanned, limit)
  if (ids.length === 0) return { body: { data: [], next_cursor: next && cursorAt(next) } }
  // Counting needs the index only. Then orders are read until there are too many: the page ends with that customer.
  const rows = await sql<Customer & { readonly first_order: string }>`/* offers.list_customers_found */
    select c.first_order, c.id, ordered.*, c.first_ordered_at
    from (
      select first.id as first_order, first.workspace_id, first.customer_workspace_id as id,
        unix_seconds(first.created_at) as first_ordered_at,
        sum(counted.orders) over (
          order by first.id desc rows between unbounded preceding and 1 preceding
        ) as orders_before
      from orders first cross join lateral (
        select count(*) as orders from (
          select from orders o
          where o.workspace_id = first.workspace_id and o.customer_workspace_id = first.customer_workspace_id
          limit ${maxCountedOrders}
        ) o
      ) counted
      where first.workspace_id = ${workspace} and first.id = any (${ids}::text[])
    ) c cross join lateral (
      with newest as materialized (
        select o.id, o.email, o.state, o.created_at, f.customer, f.internal_note, f.terms,
          i.id is not null and i.removed_at is null as has_install
        from orders o join offers f on f.id = o.offer_id left join installs i on i.order_id = o.id
        where o.workspace_id = c.workspace_id and o.customer_workspace_id = c.id
        order by o.id desc
        limit ${maxCountedOrders}
      )
      select count(*) as orders, count(*) filter (where has_install) as installs,
        unix_seconds(max(created_at)) as last_ordered_at,
        (select email from newest where email is not null order by id desc limit 1) as email,
        (select customer from newest where customer is not null order by id desc limit 1) as customer,
        (select internal_note from newest where internal_note is not null order by id desc limit 1) as internal_note,
        (
          select coalesce(jsonb_agg(v order by v.currency), '[]')
          from (
            select terms #>> '{price,currency}' as currency, sum((terms #> '{price,unit_amount}')::bigint) as unit_amount
            from newest
            where state = 'completed' and terms ->> 'commercial_mode' = 'paid' and terms ->> 'price' is not null
            group by 1
          ) v
        ) as value
      from newest
    ) ordered
    where coalesce(c.orders_before, 0) <= ${maxScanned}
    order by c.first_order desc`
  const data = rows.map(({ first_order, ...customer }) => customer)
  const last = rows.length < ids.length ? rows.at(-1)?.first_order : next
  return { body: { data, next_cursor: last ? cursorAt(last) : null } }
}
