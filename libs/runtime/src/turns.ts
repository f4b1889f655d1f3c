/** Calls of this process that have to be made one after the other. */
import { refusal } from '@svc/contract/core/errors'
import { settleBefore } from './settle-before.ts'

/**
 * Does `work` when all earlier work of the same key is done, however that ended.
 *
 * @param until Unix milliseconds: to wait no longer
 * @throws ApiError `Unavailable` where the turn did not come in time, so that nothing was done; else what `work` throws
 */
export type InTurn = <T>(key: string, until: number, work: () => Promise<T>) => Promise<T>

export function createTurns(): InTurn {
  /** The end of the latest work for each key. */
  const ends = new Map<string, Promise<void>>()

  return <T>(key: string, until: number, work: () => Promise<T>) => {
    const ahead = ends.get(key)
    const done = ahead ? settleBefore(until, ahead, () => refusal('overloaded')).then(work) : work()
    // Who gives up waiting does not let those behind overtake those ahead.
    const end = Promise.allSettled([ahead, done]).then(() => {
      if (ends.get(key) === end) ends.delete(key)
    })
    ends.set(key, end)
    return done
  }
}
