import { refusal } from '@svc/contract/core/errors'
import type { Entitlements } from '@svc/contract/offers/channel-policy'
import { licenceAlgorithm, licenceType } from '@svc/contract/offers/licences'
import type { Sql } from '@svc/runtime/database'
import { fragment } from '@svc/runtime/sql-fragment'
import { importJWK, SignJWT } from 'jose'
import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { hideSealed, type Values } from '../sealing/sealed-values.ts'
import { keyContext, newLicenceKey } from './licence-keys.ts'
import { licenceProperties } from './licence-properties.ts'
import { licenceTimes, type Paid } from './licence-times.ts'

interface SigningKey {
  readonly kid: string
  readonly private_jwk: string
}

export interface Licensed extends Paid {
  readonly install: string
  readonly is_removed: boolean
  readonly seller: string
  readonly audience: string
  readonly version: string
  readonly entitlements: Entitlements
  readonly paid_through: number | null
  /** Null where no property is for licences. */
  readonly input_schema: string | null
  readonly field_values: Values | null
  readonly key: SigningKey | null
}

const hasProperties = fragment`strpos(v.input_schema, '"x-licence"') > 0`

/**
 * What a licence says of the install under the alias `i`.
 *
 * @param now Unix milliseconds
 */
export const licensed = (now: number) => fragment`
  select i.id as install, i.removed_at is not null as is_removed, i.workspace_id as seller,
    coalesce(i.product_id, v.package_id) as audience, v.version,
    whole_terms(f.terms) -> 'entitlements' as entitlements, (whole_terms(f.terms) -> 'licence_days')::int as licence_days,
    case when s.install_id is not null then subscription_state(s, ${now}) end as state, grace_until(s) as grace_until,
    s.paid_through,
    case when ${hasProperties} then v.input_schema end as input_schema,
    case when ${hasProperties} then i.field_values end as field_values,
    (
      select jsonb_build_object('kid', k.kid, 'private_jwk', k.private_jwk) from licence_keys k
      where k.workspace_id = i.workspace_id and k.retired_at is null
    ) as key
  from installs i
  join package_versions v on v.workspace_id = i.workspace_id and v.id = i.package_version_id
  join offers f on f.workspace_id = i.workspace_id and f.id = i.offer_id
  left join subscriptions s on s.workspace_id = i.workspace_id and s.install_id = i.id`

/** @throws ApiError `no_licence` where it was removed or is not paid for */
export async function issueLicence(found: Licensed, { sql, seal, now, publicUrl }: Deps) {
  const { install, seller, audience, version, entitlements, paid_through } = found
  const times = found.is_removed ? undefined : licenceTimes(found, Math.floor(now() / 1000))
  if (!times)
    throw refusal('no_licence', { metadata: { state: found.is_removed ? 'removed' : `${found.state}` } })
  const { kid, private_jwk } = found.key ?? (await firstKey(sql, seller, await newLicenceKey(seal), now()))
  const { iat, exp, renew_after } = times
  const iss = `${publicUrl}/workspaces/${seller}`
  const claims = { iss, aud: audience, sub: install, iat, exp, jti: randomUUID(), version, entitlements }
  const licence = await new SignJWT({ ...claims, values: valuesOf(found), paid_through })
    .setProtectedHeader({ alg: licenceAlgorithm, typ: licenceType, kid })
    .sign(await importJWK(JSON.parse(seal.unseal(private_jwk, keyContext(kid))), licenceAlgorithm))
  return { body: { licence, expires_at: exp, renew_after } }
}

/** Callers at once get the same key: one of those that they made. */
async function firstKey(
  sql: Sql,
  workspace: string,
  made: Awaited<ReturnType<typeof newLicenceKey>>,
  now: number,
): Promise<SigningKey> {
  const [key] = await sql<SigningKey>`/* offers.make_licence_key */
    insert into licence_keys as k (kid, workspace_id, public_jwk, private_jwk, created_at)
    values (${made.kid}, ${workspace}, ${sql.json(made.public_jwk)}, ${made.private_jwk}, to_timestamp(${now / 1000}))
    on conflict (workspace_id) where retired_at is null do update set workspace_id = k.workspace_id
    returning kid, private_jwk`
  if (!key) throw new Error('An insert returned no row')
  return key
}

/** A version may be older than the rule that keeps passwords out. */
function valuesOf({ input_schema, field_values }: Licensed): Values {
  if (input_schema === null || field_values === null) return {}
  const wanted = new Set(licenceProperties(JSON.parse(input_schema)))
  return hideSealed(Object.fromEntries(Object.entries(field_values).filter(([name]) => wanted.has(name))))
}
