/** Spreads what costs something over time, by key. */
import { LRUCache } from 'lru-cache'

export interface PaceOptions {
  /** Burst: this much is not delayed after a while without requests. */
  readonly atOnceMs: number
  /** What is spent while more than this has to be waited for is not added to it. */
  readonly longestMs: number
  /** Milliseconds. */
  readonly now?: () => number
}

const maxKeys = 10_000

/** Spends so many milliseconds of the time of a key. @returns how long it would have to wait for that, in milliseconds; at most 0: not at all */
export type Pace = (key: string, costMs: number) => number

export function createPace({ atOnceMs, longestMs, now = () => performance.now() }: PaceOptions): Pace {
  /** When the next one of a key is due. */
  const due = new LRUCache<string, number>({ max: maxKeys })
  return (key, costMs) => {
    const time = now()
    const next = Math.max(due.get(key) ?? 0, time) + costMs
    due.set(key, Math.min(next, time + atOnceMs + longestMs))
    return next - time - atOnceMs
  }
}
