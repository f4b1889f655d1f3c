import { maxCountedOrders } from '@svc/contract/offers/customers/list-customers'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler, Reply } from '@svc/contract/core/operation'
import { afterCursor, cursorAt } from '@svc/runtime/cursor'
import type { Deps } from '../deps.ts'
import { maxScanned } from '../scanned-page.ts'

type Customer = Reply<typeof offers.operations.list_customers>['body']['data'][number]

/**
 * Goes from customer to customer along the index, whatever each has ordered. Counting needs the index only; then
 * orders are read until there are too many, and the page ends with that customer.
 */
export const listCustomers: Handler<typeof offers.operations.list_customers, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql, now },
) => {
  const rows = await sql<Customer & { readonly more: boolean }>`/* offers.list_customers */
    with recursive customers (id, ordinal) as (
      (
        select customer_workspace_id, 1 from orders
        where workspace_id = ${workspace} and customer_workspace_id < ${afterCursor(cursor, 'ws')}
        order by customer_workspace_id desc
        limit 1
      )
      union all
      select next.id, c.ordinal + 1
      from customers c cross join lateral (
        select o.customer_workspace_id as id from orders o
        where o.workspace_id = ${workspace} and o.customer_workspace_id < c.id
        order by o.customer_workspace_id desc
        limit 1
      ) next
      where c.ordinal <= ${limit}
    )
    select c.id, ordered.*, c.more
    from (
      select customers.id, ordinal, lead(customers.id) over (order by ordinal) is not null as more,
        sum(counted.orders) over (order by ordinal rows between unbounded preceding and 1 preceding) as orders_before
      from customers cross join lateral (
        select count(*) as orders from (
          select from orders o
          where o.workspace_id = ${workspace} and o.customer_workspace_id = customers.id
          limit ${maxCountedOrders}
        ) o
      ) counted
    ) c cross join lateral (
      with newest as materialized (
        select o.id, o.email, o.state, o.created_at, f.customer, f.internal_note, f.terms,
          i.id as install_id, i.id is not null and i.removed_at is null as has_install
        from orders o join offers f on f.id = o.offer_id left join installs i on i.order_id = o.id
        where o.workspace_id = ${workspace} and o.customer_workspace_id = c.id
        order by o.id desc
        limit ${maxCountedOrders}
      )
      select count(*) as orders, count(*) filter (where has_install) as installs,
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
        ) as value,
        (
          select coalesce(jsonb_agg(v order by v.state, v.currency, v.interval), '[]')
          from (
            select read.state, terms #>> '{price,currency}' as currency,
              sum((terms #> '{price,unit_amount}')::bigint) as unit_amount, terms #>> '{price,interval}' as interval
            from newest join subscriptions s using (install_id)
            cross join lateral (select subscription_state(s, ${now()}) as state) read
            where s.workspace_id = ${workspace} and s.ended_at is null and read.state <> 'ended'
            group by 1, 2, 4
          ) v
        ) as subscriptions,
        (
          select unix_seconds(o.created_at) from orders o
          where o.workspace_id = ${workspace} and o.customer_workspace_id = c.id
          order by o.id
          limit 1
        ) as first_ordered_at,
        unix_seconds(max(created_at)) as last_ordered_at
      from newest
    ) ordered
    where c.ordinal <= ${limit} and coalesce(c.orders_before, 0) <= ${maxScanned}
    order by c.ordinal`
  const last = rows.at(-1)
  return {
    body: {
      data: rows.map(({ more, ...customer }) => customer),
      next_cursor: last?.more ? cursorAt(last.id) : null,
    },
  }
}
