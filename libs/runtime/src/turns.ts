import { refusal } from '@svc/contract/core/errors'
import { settleBefore } from './settle-before.ts'

/**
 * Does `work` when all earlier work of the same key is done, whether it succeeded or failed.
 *
 * @param until Unix milliseconds: how long to wait
 * @throws ApiError `Unavailable` if the turn did not come in time, so that nothing was done; otherwise any error of
 * `work`
 */
export type InTurn = <T>(key: string, until: number, work: () => Promise<T>) => Promise<T>

export function createTurns(): InTurn {
  const ends = new Map<string, Promise<void>>()

  return <T>(key: string, until: number, work: () => Promise<T>) => {
    const ahead = ends.get(key)
    const done = ahead ? settleBefore(until, ahead, () => refusal('overloaded')).then(work) : work()
    // A call that gives up must not let those behind it overtake those ahead.
    const end = Promise.allSettled([ahead, done]).then(() => {
      if (ends.get(key) === end) ends.delete(key)
    })
    ends.set(key, end)
    return done
  }
}
