/** GET /i/{short_hash}: to who is entitled what they may know, to everybody else the name. */
import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler, Reply } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

type Resolved = Reply<typeof offers.operations.resolve_offer>['body']

export const resolveOffer: Handler<typeof offers.operations.resolve_offer, Deps> = async (
  { params: { short_hash } },
  caller,
  { sql, now },
) => {
  const email = 'email' in caller ? (caller.email ?? null) : null
  const signedIn = caller.kind !== 'anonymous'
  const [found] = await sql<{ name: string; offer: Resolved['offer'] }>`
    select coalesce(p.name, k.name) as name, case
      when ${signedIn} and (cardinality(o.allowed_emails) = 0 or lower(${email}::text) = any (o.allowed_emails))
      then jsonb_build_object(
        'state', offer_state(o, ${now()}),
        'seat_available', o.max_uses is null or coalesce(o.redeemed, 0) + held_seats(o.id, ${now()}) < o.max_uses,
        'product', case when p.id is not null then jsonb_build_object('id', p.id, 'name', p.name) end,
        'package', jsonb_build_object('id', k.id, 'name', k.name),
        'package_version', jsonb_build_object('id', v.id, 'version', v.version),
        'notes', o.notes, 'terms', o.terms, 'input_schema', v.input_schema::jsonb, 'field_values', o.field_values,
        'expires_at', o.expires_at, 'order_ttl_minutes', o.order_ttl_minutes
      )
    end as offer
    from offers o
    join package_versions v on v.id = o.package_version_id
    join packages k on k.id = v.package_id
    left join products p on p.id = o.product_id
    where o.short_hash = ${short_hash}`
  if (!found) throw refusal('not_found')
  return { body: { ...found, sign_in_required: !signedIn } }
}
