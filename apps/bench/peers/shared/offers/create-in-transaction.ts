/** POST /offers as `begin … commit`: read the key and what is referred to, check, insert offer and key. */
import type { ISql } from 'postgres'
import type { Caller } from '../caller.ts'
import type { Pool } from '../pool.ts'
import { readReferences } from './offer-references.ts'
import { intentOf } from './intent.ts'
import { json } from './json.ts'
import { readKey, replay } from './key.ts'
import type { CreatedOffer, OfferInput } from './offer-input.ts'
import { type OfferRow, resolveOffer } from './offer-row.ts'

export async function createInTransaction(
  pool: Pool,
  caller: Caller,
  body: OfferInput,
  key: string | undefined,
): Promise<CreatedOffer> {
  const intent = key === undefined ? null : intentOf(body)
  try {
    return await pool.begin(async tx => {
      // Statements that do not wait for each other are sent together (postgres.js: "Pipelining").
      const [taken, facts] = await Promise.all([
        key === undefined ? undefined : readKey(tx, caller, key),
        readReferences(tx, caller, body),
      ])
      if (taken) return replay(taken, intent)
      const offer = resolveOffer(body, caller, facts)
      await Promise.all([
        insertOffer(tx, offer),
        key === undefined ? undefined : insertKey(tx, offer, key, intent),
      ])
      return { id: offer.id, short_hash: offer.short_hash, replayed: false }
    })
  } catch (error) {
    if (key === undefined || !lostRace(error)) throw error
    const winner = await readKey(pool.next(), caller, key)
    if (!winner) throw error
    return replay(winner, intent)
  }
}

const insertOffer = (sql: ISql, offer: OfferRow) => sql`
  insert into offers.offers (
    id, workspace_id, short_hash, product_id, package_version_id, offer_channel_id, policy_number, allowed_emails,
    field_values, customer, internal_note, notes, commercial_mode, pricing_request, tier, terms, expires_at,
    max_uses, order_ttl_minutes, created_by, created_at
  ) values (
    ${offer.id}, ${offer.workspace_id}, ${offer.short_hash}, ${offer.product_id}, ${offer.package_version_id},
    ${offer.offer_channel_id}, ${offer.policy_number}, ${offer.allowed_emails}, ${json(sql, offer.field_values)},
    ${json(sql, offer.customer)}, ${offer.internal_note}, ${offer.notes}, ${offer.commercial_mode},
    ${json(sql, offer.pricing_request)}, ${offer.tier}, ${json(sql, offer.terms)}, ${offer.expires_at}, ${offer.max_uses},
    ${offer.order_ttl_minutes}, ${json(sql, offer.created_by)}, ${offer.created_at}
  )`

const insertKey = (sql: ISql, offer: OfferRow, key: string, intent: string | null) => sql`
  insert into offers.idempotency_keys (
    workspace_id, key, intent, package_version_id, offer_id, short_hash, created_at
  ) values (
    ${offer.workspace_id}, ${key}, ${intent}, ${offer.package_version_id}, ${offer.id}, ${offer.short_hash},
    ${offer.created_at}
  )`

/** Another request with this key was faster: its row was awaited, and is there. */
function lostRace(error: unknown): boolean {
  const { code, table_name } = error as { code?: string; table_name?: string }
  return code === '23505' && table_name === 'idempotency_keys'
}
