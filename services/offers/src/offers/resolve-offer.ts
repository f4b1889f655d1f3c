/** GET /i/{short_hash}: to who is entitled what they may know, to everybody else the name. */
import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler, Reply } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { holderOf } from '../orders/holder.ts'
import { hideSealed, inOffer } from '../sealing/sealed-values.ts'

type Resolved = Reply<typeof offers.operations.resolve_offer>['body']

export const resolveOffer: Handler<typeof offers.operations.resolve_offer, Deps> = async (
  { params: { short_hash } },
  caller,
  { sql, now },
) => {
  const { holder, user, email } = holderOf(caller)
  const { workspace = null } = caller
  const signedIn = caller.kind !== 'anonymous'
  // As json: jsonb would not keep the order in which the seller wrote the schema's properties, and a form shows them.
  const [found] = await sql<{ name: string; offer: Resolved['offer'] }>`/* offers.resolve_offer */
    select coalesce(p.name, k.name) as name, case
      when ${signedIn} and (cardinality(o.allowed_emails) = 0 or lower(${email}::text) = any (o.allowed_emails))
      then json_build_object(
        'state', offer_state(o, ${now()}),
        -- As open_order decides it (migrations/functions/open_order.sql).
        'seat_available', offer_state(o, ${now()}) = 'active' and (
          ${user}::text is not null or o.allow_api_tokens is true or coalesce(o.workspace_id = ${workspace}, false)
        ) and coalesce(
          (
            select h.customer_workspace_id = coalesce(${workspace}, h.customer_workspace_id) from orders h
            where h.offer_id || ' ' || h.holder = o.id || ' ' || ${holder} and is_under_way(h.state)
              and h.expires_at > ${now()}
          ),
          o.max_uses is null or coalesce(o.redeemed, 0) + held_seats(o.id, ${now()}) < o.max_uses
        ),
        'product', case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end,
        'package', json_build_object('id', k.id, 'name', k.name),
        'package_version', json_build_object('id', v.id, 'version', v.version),
        'notes', o.notes, 'terms', o.terms, 'input_schema', v.input_schema::json, 'field_values', o.field_values,
        'expires_at', o.expires_at, 'order_ttl_minutes', o.order_ttl_minutes
      )
    end as offer
    from offers o
    join package_versions v on v.id = o.package_version_id
    join packages k on k.id = v.package_id
    left join products p on p.id = o.product_id
    where o.short_hash = ${short_hash}`
  if (!found) throw refusal('not_found')
  const offer = found.offer && {
    ...found.offer,
    field_values: inOffer(found.offer.field_values, hideSealed),
  }
  return { body: { ...found, offer, sign_in_required: !signedIn } }
}
