import type { offers } from '@svc/contract/offers/offers'
import type { Handler, Reply } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

type Found = NonNullable<Reply<typeof offers.operations.find_latest_order>['body']['order']>

/** A cancelled one only if there is no other: it must not hide that the offer was ordered. */
export const findLatestOrder: Handler<typeof offers.operations.find_latest_order, Deps> = async (
  { params: { short_hash }, body: { user_id, except = null } },
  _caller,
  { sql, now },
) => {
  const [order = null] = await sql<Found>`/* offers.find_latest_order */
    select o.id, order_state(o, ${now()}) as state, o.customer_workspace_id as workspace_id,
      unix_seconds(o.created_at) as created_at
    from orders o
    where o.offer_id = (select id from offers where short_hash = ${short_hash}) and o.holder = ${user_id}
      and o.id is distinct from ${except}
    order by o.state = 'cancelled', o.id desc
    limit 1`
  return { body: { order } }
}
