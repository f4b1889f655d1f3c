/** An idempotency key that is taken, and what it means to who comes with it. */
import type { ISql } from 'postgres'
import type { Caller } from '../caller.ts'
import { invalid, refusal } from '../refusal.ts'
import type { CreatedOffer } from './offer-input.ts'

export interface KeyRow {
  intent: string | null
  offer_id: string
  short_hash: string
}

export async function readKey(sql: ISql, { workspace }: Caller, key: string): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select intent, offer_id, short_hash from offers.idempotency_keys
    where workspace_id = ${workspace} and key = ${key}`
  return row
}

/** The original offer: rule 2. Another intent is refused: rule 3. */
export function replay({ intent, offer_id, short_hash }: KeyRow, wanted: string | null): CreatedOffer {
  if (intent === wanted) return { id: offer_id, short_hash, replayed: true }
  throw refusal(409, {
    code: 40901,
    message: 'This Idempotency-Key was used with a different request.',
    path: ['Idempotency-Key'],
  })
}

/** The header, where it is no longer than it may be. */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined || (header.length >= 1 && header.length <= 64)) return header
  throw invalid(['Idempotency-Key'], 'Idempotency-Key must have 1 to 64 characters.', 40003)
}
