import { type WorkLoop, startWorkLoop, type WorkLoopOptions } from '@svc/runtime/work-loop'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'

/**
 * The length of a first claim; it doubles each time, up to some hours. A claim whose process died expires by
 * itself.
 */
const firstLeaseMs = 60_000
const maxDoublings = 8

/** Shorter than a first lease, so that no other replica works on it meanwhile. */
export const attemptMs = 20_000

/** From this attempt on a failure is an error. */
export const manyTries = 8

/** When the lease of a row `s` ends whose `tries` claims had no success. `now` in Unix milliseconds. */
export const leaseEnd = (now: number): Fragment =>
  fragment`${now} + ${firstLeaseMs}::bigint * (2 ^ least(s.tries, ${maxDoublings}))::bigint`

const atOnce = 8

/** Runs `finishNext` each second, and several at once while it finds something. */
export const startClaimLoop = ({
  finishNext,
  ...options
}: Pick<WorkLoopOptions, 'name' | 'log' | 'metrics'> & { finishNext(): Promise<boolean> }): WorkLoop =>
  startWorkLoop({
    ...options,
    everyMs: 1000,
    async work(cut) {
      // The others start only if the first one finds something.
      if (!(await finishNext())) return false
      const ends = await Promise.allSettled(
        Array.from({ length: atOnce }, async () => {
          while (!cut.aborted && (await finishNext())) {}
        }),
      )
      const failed = ends.find(end => end.status === 'rejected')
      if (failed) throw failed.reason
      return false
    },
  })
