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
    const shared = looks.get(nameOf(use))
    const look = shared ?? lookAfter(Math.min(pause, left), sql, use)
    const row = await look.catch(error => {
      // It was bound by the deadline of the call that began it: others may have time left, and look again.
      if (look === shared) return seen
      throw error
    })
    if (row?.fence !== seen.fence || row.offer_id !== null) return row
  }
}

function lookAfter(pauseMs: number, sql: Sql, use: KeyUse): Promise<KeyRow | undefined> {
  const look = new Promise(resolve => setTimeout(resolve, pauseMs))
    .then(() => looks.delete(nameOf(use)))
    .then(() => readKey(sql, use))
  looks.set(nameOf(use), look)
  return look
}

const nameOf = ({ workspace, key }: KeyUse) => `${workspace} ${key}`
