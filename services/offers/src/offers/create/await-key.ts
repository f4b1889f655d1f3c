/** Waiting for the request of another process that holds a reservation. */
import type { Sql } from '@svc/runtime/database'
import { type KeyRow, type IdempotentRequest, readKey } from './idempotency-key.ts'

/** How long a request waits for another one with its key before it takes the reservation over. */
export const patienceMs = 2000
/** With less than this time left for its own work, it keeps waiting instead. */
export const takeOverMs = 1000
const firstPauseMs = 15
const longestPauseMs = 250

/**
 * Waits until the key's row has changed from `seen`: completed, freed, or taken over by another attempt.
 *
 * @param until Unix milliseconds
 * @returns the row as it is now; the same as `seen` when nothing changed in time
 */
export async function awaitKey(
  sql: Sql,
  use: IdempotentRequest,
  seen: KeyRow,
  until: number,
): Promise<KeyRow | undefined> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const left = until - Date.now()
    if (left <= 0) return seen
    await new Promise(resolve => setTimeout(resolve, Math.min(pause, left)))
    const row = await readKey(sql, use)
    if (row?.fence !== seen.fence || row.offer_id !== null) return row
  }
}
