/** GET /i/{short_hash}: shows each caller what they may know. */
import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler, Reply } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { holderOf } from '../orders/holder.ts'
import { hideSealed, inOffer } from '../sealing/sealed-values.ts'

type Resolved = Reply<typeof offers.operations.resolve_offer>['body']

interface Found {
  readonly name: string
  readonly workspace_id: string
  readonly summary: Omit<NonNullable<Resolved['summary']>, 'seller'> | null
  readonly offer: Resolved['offer']
}

export const resolveOffer: Handler<typeof offers.operations.resolve_offer, Deps> = async (
  { params: { short_hash } },
  caller,
  { sql, now, findSeller, call },
) => {
  const { holder, user, email } = holderOf(caller)
  const { workspace = null } = caller
  const signedIn = caller.kind !== 'anonymous'
  // As json: jsonb would not keep the order of the schema's properties, in which a form shows them.
  const [found] = await sql<Found>`/* offers.resolve_offer */
    select coalesce(p.name, k.name) as name, o.workspace_id, case
      when a.is_open or a.is_listed then json_build_object(
        'state', offer_state(o, ${now()}),
        -- Null where there is no limit.
        'seats_left', o.max_uses - least(o.max_uses, coalesce(o.redeemed, 0) + held_seats(o.id, ${now()})),
        'terms', whole_terms(o.terms) - 'payment_instructions', 'expires_at', o.expires_at
      )
    end as summary, case
      when a.is_listed or (a.is_open and ${signedIn})
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
        'notes', o.notes, 'terms', whole_terms(o.terms) - 'payment_instructions', 'input_schema', v.input_schema::json,
        'field_values', o.field_values,
        'expires_at', o.expires_at, 'order_ttl_minutes', o.order_ttl_minutes
      )
    end as offer
    from offers o
    join package_versions v on v.id = o.package_version_id
    join packages k on k.id = v.package_id
    left join products p on p.id = o.product_id,
    lateral (
      select cardinality(o.allowed_emails) = 0 as is_open,
        ${signedIn} and coalesce(${email}::text = any (o.allowed_emails), false) as is_listed
    ) a
    where o.short_hash = ${short_hash}`
  if (!found) throw refusal('not_found')
  const offer = found.offer && {
    ...found.offer,
    field_values: inOffer(found.offer.field_values, hideSealed),
  }
  const summary = found.summary && {
    ...found.summary,
    seller: await findSeller(found.workspace_id, call),
  }
  return { body: { name: found.name, sign_in_required: !signedIn, summary, offer } }
}
