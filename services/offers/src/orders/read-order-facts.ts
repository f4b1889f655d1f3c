import type { offers } from '@svc/contract/offers/offers'
import type { Handler, Reply } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { mostCharacters, withoutValues } from '../instructions/without-values.ts'

type Facts = Reply<typeof offers.operations.read_order_facts>['body']['orders'][number]

/** Neither values nor notes: mail is read by more people than the pages are. */
export const readOrderFacts: Handler<typeof offers.operations.read_order_facts, Deps> = async (
  { body: { ids } },
  _caller,
  { sql, now },
) => {
  const orders = await sql<Facts>`/* offers.read_order_facts */
    select o.id, order_reference(o.id) as reference, o.offer_id, coalesce(p.name, k.name) as product, o.workspace_id as seller_workspace_id,
      o.customer_workspace_id as workspace_id, o.user_id, o.email,
      jsonb_build_object('commercial_mode', f.terms -> 'commercial_mode', 'price', f.terms -> 'price') as terms,
      f.terms ->> 'payment_instructions' as payment_instructions,
      case when o.state = 'completed' then left(v.instructions, ${mostCharacters} + 1) end as next_steps, o.checkout_provider as provider,
      order_reason(o.state, o.reason, order_state(o, ${now()})) as reason,
      floor(o.expires_at / 1000.0)::bigint as expires_at, f.max_uses, coalesce(f.redeemed, 0) as redeemed
    from orders o
    join offers f on f.id = o.offer_id
    left join products p on p.id = f.product_id
    join package_versions v on v.id = f.package_version_id
    join packages k on k.id = v.package_id
    where o.id = any (${ids}::text[])`
  return {
    body: {
      orders: orders.map(order => ({
        ...order,
        next_steps: order.next_steps && withoutValues(order.next_steps),
      })),
    },
  }
}
