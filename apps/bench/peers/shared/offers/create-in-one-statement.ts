/** POST /offers as one statement: reads what is referred to, inserts key and offer, or finds the key taken. */
import type { Caller } from '../caller.ts'
import type { Pool } from '../pool.ts'
import { Refusal, refusal } from '../refusal.ts'
import { type OfferReferences, readReferences, referenceProblems } from './offer-references.ts'
import { intentOf } from './intent.ts'
import { json } from './json.ts'
import { readKey, replay } from './key.ts'
import type { CreatedOffer, OfferInput } from './offer-input.ts'
import { offerColumns, resolveOffer, timeProblems } from './offer-row.ts'
import { resolveTerms } from './terms.ts'

interface CreateOfferResult extends OfferReferences {
  intent: string | null
  offer_id: string | null
  short_hash: string | null
  created: boolean
}

export async function createInOneStatement(
  pool: Pool,
  caller: Caller,
  body: OfferInput,
  key: string | undefined,
): Promise<CreatedOffer> {
  const intent = key === undefined ? null : intentOf(body)
  try {
    return await insert(pool, await prepare(pool, caller, body), body, { key, intent })
  } catch (error) {
    // What was created with the key before is answered even where its references have changed since.
    const refused = key !== undefined && error instanceof Refusal && error.status === 422
    const original = refused ? await readKey(pool.next(), caller, key) : undefined
    if (original) return replay(original, intent)
    throw error
  }
}

/** Terms by a policy and field values are checked here: only for those something has to be read first. */
async function prepare(pool: Pool, caller: Caller, body: OfferInput) {
  if (body.offer_channel_id || body.field_values) {
    return resolveOffer(body, caller, await readReferences(pool.next(), caller, body))
  }
  const problems = timeProblems(body)
  if (problems.length > 0) throw refusal(422, ...problems)
  return {
    ...offerColumns(body, caller),
    package_version_id: body.package_version_id ?? null,
    policy_number: null,
    terms: resolveTerms(body, undefined).terms,
  }
}

async function insert(
  pool: Pool,
  offer: Awaited<ReturnType<typeof prepare>>,
  body: OfferInput,
  { key, intent }: { key: string | undefined; intent: string | null },
): Promise<CreatedOffer> {
  const sql = pool.next()
  const [outcome] = await sql<[CreateOfferResult]>`
    with facts as (
      select p.package_id as product_package, v.id as version_id, v.package_id as version_package,
        v.id is not null and (${offer.product_id}::text is null or v.package_id = p.package_id) as fit
      from (select ${offer.workspace_id}::text as id) w
      left join offers.products p on p.workspace_id = w.id and p.id = ${offer.product_id}
      left join offers.package_versions v on v.workspace_id = w.id
        and v.id = coalesce(${offer.package_version_id}, p.current_version_id)
    ), taken as (
      insert into offers.idempotency_keys (
        workspace_id, key, intent, package_version_id, offer_id, short_hash, created_at
      )
      select ${offer.workspace_id}, ${key ?? null}, ${intent}, version_id, ${offer.id}, ${offer.short_hash},
        ${offer.created_at}
      from facts where fit and ${key !== undefined}
      -- Unlike "do nothing", this returns the row of who was faster.
      on conflict (workspace_id, key) do update set key = excluded.key
      returning intent, offer_id, short_hash
    ), created as (
      insert into offers.offers (
        id, workspace_id, short_hash, product_id, package_version_id, offer_channel_id, policy_number,
        allowed_emails, field_values, customer, internal_note, notes, commercial_mode, pricing_request, tier, terms,
        expires_at, max_uses, order_ttl_minutes, created_by, created_at
      )
      select ${offer.id}, ${offer.workspace_id}, ${offer.short_hash}, ${offer.product_id}, version_id,
        ${offer.offer_channel_id}, ${offer.policy_number}::integer, ${offer.allowed_emails}::text[],
        ${json(sql, offer.field_values)}::jsonb, ${json(sql, offer.customer)}::jsonb, ${offer.internal_note},
        ${offer.notes}, ${offer.commercial_mode}, ${json(sql, offer.pricing_request)}::jsonb, ${offer.tier},
        ${json(sql, offer.terms)}::jsonb, ${offer.expires_at}::bigint, ${offer.max_uses}::integer,
        ${offer.order_ttl_minutes}::integer, ${json(sql, offer.created_by)}::jsonb, ${offer.created_at}
      from facts left join taken on true
      where fit and (${key === undefined} or taken.offer_id = ${offer.id})
      returning id
    )
    select product_package, version_id, version_package, taken.intent, taken.offer_id, taken.short_hash,
      created.id is not null as created
    from facts left join taken on true left join created on true`
  if (outcome.created) return { id: offer.id, short_hash: offer.short_hash, replayed: false }
  const { offer_id, short_hash } = outcome
  if (offer_id && short_hash) return replay({ intent: outcome.intent, offer_id, short_hash }, intent)
  throw refusal(422, ...referenceProblems(body, outcome))
}
