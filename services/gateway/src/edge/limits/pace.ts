import { LRUCache } from 'lru-cache'

export interface PaceOptions {
  readonly atOnceMs: number
  readonly longestMs: number
  readonly now?: () => number
}

const maxKeys = 10_000

/** Spends milliseconds of a key's time. @returns the wait in milliseconds; none if not positive */
export type Pace = (key: string, costMs: number) => number

export function createPace({ atOnceMs, longestMs, now = () => performance.now() }: PaceOptions): Pace {
  const due = new LRUCache<string, number>({ max: maxKeys })
  return (key, costMs) => {
    const time = now()
    const next = Math.max(due.get(key) ?? 0, time) + costMs
    due.set(key, Math.min(next, time + atOnceMs + longestMs))
    return next - time - atOnceMs
  }
}
