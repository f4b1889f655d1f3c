/** Waiting for the request that holds a reservation; all who wait in this process share one look. */
import type { Sql } from '@svc/runtime/database'
import { type KeyRow, type KeyUse, readKey } from './idempotency-key.ts'

/** How long a request waits for another one with its key before it takes the reservation over. */
export const patienceMs = 2000
const firstPauseMs = 15
const longestPauseMs = 250

const looks = new Map<string, Promise<KeyRow | undefined>>()

/**
 * Waits until the key's row has changed from `seen`: completed, freed, or taken over by another attempt.
 *
 * @param until Unix milliseconds
 * @returns the row as it is now; the same as `seen` when nothing changed in time
 */
export async function awaitKey(
  sql: Sql,
  use: KeyUse,
  seen: KeyRow,
  until: number,
): Promise<KeyRow | undefined> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const left = until - Date.now()
    if (left <= 0) return seen
    const row = await lookAfter(Math.min(pause, left), sql, use)
    if (row?.fence !== seen.fence || row.offer_id !== null) return row
  }
}

function lookAfter(pauseMs: number, sql: Sql, use: KeyUse): Promise<KeyRow | undefined> {
  const name = `${use.workspace} ${use.key}`
  const shared = looks.get(name)
  if (shared) return shared
  const look = new Promise(resolve => setTimeout(resolve, pauseMs))
    .then(() => looks.delete(name))
    .then(() => readKey(sql, use))
  looks.set(name, look)
  return look
}
