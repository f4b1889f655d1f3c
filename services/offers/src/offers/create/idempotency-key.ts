/** The row of an idempotency key, and what it means to a request that uses the key. */
import { type ApiError, refusal } from '@svc/contract/core/errors'
import type { Sql } from '@svc/runtime/database'
import { fragment } from '@svc/runtime/sql-fragment'

export interface KeyRow {
  intent: string
  /** The bound version. */
  package_version_id: string
  fence: number
  /** Both null once the offer exists. */
  lease_until: Date | null
  free_at: Date | null
  offer_id: string | null
  short_hash: string | null
}

export const keyColumns = fragment`intent, package_version_id, fence, lease_until, free_at, offer_id, short_hash`

/** Returns the row that another one has written meanwhile; `do nothing` could return none at all. */
export const orTheirKey = fragment`on conflict (workspace_id, key) do update set key = excluded.key`

/** A use of a key: in which workspace, for what. */
export interface IdempotentRequest {
  readonly workspace: string
  readonly key: string
  readonly intent: string
}

export interface CreatedOffer {
  readonly id: string
  readonly short_hash: string
  readonly replayed: boolean
}

/** The lease of a reservation, and how long after it the key is refused (docs/specification.md, R32). */
export const leaseMs = 60_000
export const refusedAfterLeaseMs = 24 * 60 * 60 * 1000

type KeyState =
  | { readonly is: 'replay'; readonly offer: CreatedOffer }
  | { readonly is: 'refused'; readonly refusal: ApiError }
  | { readonly is: 'free' }
  | { readonly is: 'reserved'; readonly row: KeyRow }

/** What an existing key means for a request that uses it, at the time `now` (Unix milliseconds). */
export function stateOf(row: KeyRow, { intent }: IdempotentRequest, now: number): KeyState {
  if (row.offer_id && row.short_hash) {
    if (row.intent !== intent) return { is: 'refused', refusal: keyRefusal('key_reused') }
    return { is: 'replay', offer: { id: row.offer_id, short_hash: row.short_hash, replayed: true } }
  }
  const freeAt = row.free_at?.getTime() ?? 0
  if (freeAt <= now) return { is: 'free' }
  if ((row.lease_until?.getTime() ?? 0) <= now) return { is: 'refused', refusal: reservationExpired(freeAt) }
  if (row.intent !== intent) return { is: 'refused', refusal: keyRefusal('key_reused') }
  return { is: 'reserved', row }
}

/** A conflict of which the key is the cause. */
export const keyRefusal = (name: 'key_reused' | 'key_in_flight'): ApiError =>
  refusal(name, { path: ['Idempotency-Key'] })

function reservationExpired(freeAtMs: number): ApiError {
  const seconds = Math.ceil(freeAtMs / 1000)
  return refusal('reservation_expired', {
    path: ['Idempotency-Key'],
    message: `The reservation of this Idempotency-Key expired before an offer was created. Use another key, or this one from ${new Date(seconds * 1000).toISOString()}.`,
    metadata: { free_at: String(seconds) },
  })
}

export async function readKey(sql: Sql, { workspace, key }: IdempotentRequest): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow>`/* offers.read_key */
    select ${keyColumns} from idempotency_keys where workspace_id = ${workspace} and key = ${key}`
  return row
}

/** Purges a binding whose 24 hours are over, and no other. */
export async function purgeKey(sql: Sql, { workspace, key }: IdempotentRequest, now: number): Promise<void> {
  await sql`/* offers.purge_key */
    delete from idempotency_keys
    where workspace_id = ${workspace} and key = ${key} and offer_id is null and free_at <= ${new Date(now)}`
}
