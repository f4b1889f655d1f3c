/**
 * The `Idempotency-Key` of a creation, stored in the created row and kept as long as the row
 * (docs/selling/idempotency.md). Tables have the columns `creation_key` and `creation_intent`, and a unique index
 * on `(workspace_id, creation_key)`.
 */
import { createHash } from 'node:crypto'
import { refusal } from '@svc/contract/core/errors'
import stringify from 'safe-stable-stringify'
import { fragment } from './sql-fragment.ts'

/** Both are null if no key was sent: nothing conflicts with such a row. */
export interface CreationKey {
  readonly key: string | null
  readonly intent: string | null
}

/** @param intent the request with its defaults */
export function creationKey(
  { 'idempotency-key': key }: { readonly 'idempotency-key'?: string | undefined },
  intent: object,
): CreationKey {
  return key === undefined ? { key: null, intent: null } : { key, intent: intentHash(intent) }
}

/** SHA-256 in hex of the request, with keys sorted at every level. */
export const intentHash = (sent: object): string => createHash('sha256').update(stringify(sent)).digest('hex')

/**
 * Ends an insert with a key: returns the row that a concurrent request inserted, where `do nothing` could return
 * none.
 */
export const orCreated = fragment`
  on conflict (workspace_id, creation_key) where creation_key is not null
  do update set creation_key = excluded.creation_key`

/** What the statement must return of the row that has the key. */
export interface CreatedRow {
  readonly id: string
  readonly creation_intent: string | null
}

/**
 * Whether an earlier request with this key created the row.
 *
 * @param id of the row that this request would have inserted
 * @throws ApiError 40901 if the earlier request was different
 */
export function isReplay(row: CreatedRow, id: string, { intent }: CreationKey): boolean {
  if (row.id === id) return false
  if (row.creation_intent !== intent) throw refusal('key_reused', { path: ['Idempotency-Key'] })
  return true
}

/** Splits the row into the current resource and the headers of the answer. */
export function createdOrReplayed<Row extends CreatedRow>(
  row: Row | undefined,
  id: string,
  key: CreationKey,
) {
  if (!row) throw new Error('the insert returned no row')
  const { creation_intent: _, ...resource } = row
  return { resource, headers: isReplay(row, id, key) ? { 'Idempotent-Replayed': 'true' } : {} }
}

/** For resources with a secret, which only the first answer contains. */
export function refuseReplay(row: CreatedRow, id: string, key: CreationKey): void {
  if (!isReplay(row, id, key)) return
  throw refusal('already_created', { path: ['Idempotency-Key'], metadata: { id: row.id } })
}
