/**
 * Token buckets that several gateways share. Each gateway has its own, at the full rate, and shares its use: the
 * others subtract that from theirs. So a bucket may fall below zero, and excess admissions are paid back: over time
 * the sum is exact. Totals are shared, so that the next message makes up for a lost one.
 */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** A gateway's use of one bucket: its total, the previously shared total, and the level it assumes. */
export type Use = readonly [key: string, total: number, before: number, level: number]

export interface TokenBuckets extends Rate {
  /** What is left now, at most `burst`; below zero if the gateways together admitted too much. */
  level(key: string): number
  spend(key: string): void
  used(): Use[]
  addUse(from: string, uses: readonly Use[]): void
  forget(): void
  readonly size: number
}

interface Bucket {
  level: number
  at: number
  total: number
  shared: number
  readonly others: Map<string, number>
  usedAt: number
}

/** Longer than a message may be late. */
const idleSeconds = 10

interface TokenBucketsOptions extends Rate {
  readonly now: () => number
  readonly onMuchUsed?: () => void
}

export function createTokenBuckets({
  perSecond,
  burst,
  now,
  onMuchUsed = () => {},
}: TokenBucketsOptions): TokenBuckets {
  const buckets = new Map<string, Bucket>()
  const changed = new Set<string>()
  const much = Math.max(1, burst / 10)

  return {
    perSecond,
    burst,
    get size() {
      return buckets.size
    },
    level(key) {
      const bucket = buckets.get(key)
      return bucket ? levelOf(bucket) : burst
    },
    spend(key) {
      const bucket = bucketOf(key)
      refill(bucket)
      bucket.level--
      bucket.total++
      changed.add(key)
      if (bucket.total - bucket.shared >= much) onMuchUsed()
    },
    used() {
      const uses = [...changed].flatMap(key => {
        const bucket = buckets.get(key)
        if (!bucket) return []
        const use: Use = [key, bucket.total, bucket.shared, Math.round(levelOf(bucket))]
        bucket.shared = bucket.total
        return [use]
      })
      changed.clear()
      return uses
    },
    addUse(from, uses) {
      for (const [key, total, before, level] of uses) {
        const known = buckets.get(key)
        const bucket = known ?? bucketOf(key)
        refill(bucket)
        const last = bucket.others.get(from)
        // The other gateway restarted its count, or its earlier messages never arrived here.
        const base = last === undefined || total < last ? before : last
        bucket.level -= total - base
        if (last === undefined && before > 0) bucket.level = Math.min(bucket.level, level)
        bucket.others.set(from, total)
      }
    },
    forget() {
      const time = now()
      for (const [key, bucket] of buckets) {
        const idle = time - bucket.usedAt > idleSeconds && bucket.total === bucket.shared
        if (idle && levelOf(bucket) >= burst) buckets.delete(key)
      }
    },
  }

  function bucketOf(key: string): Bucket {
    const known = buckets.get(key)
    if (known) return known
    const time = now()
    const bucket = { level: burst, at: time, total: 0, shared: 0, others: new Map(), usedAt: time }
    buckets.set(key, bucket)
    return bucket
  }

  function levelOf({ level, at }: Bucket): number {
    return Math.min(burst, level + (now() - at) * perSecond)
  }

  function refill(bucket: Bucket) {
    bucket.level = levelOf(bucket)
    bucket.at = now()
    bucket.usedAt = bucket.at
  }
}
