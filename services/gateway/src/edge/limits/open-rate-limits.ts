import type { Bus, BusLog } from '@svc/bus/connection'
import type { Metrics } from '@svc/telemetry/metrics'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import { type Shared, shareUse } from './share-use.ts'
import { createTokenBuckets } from './token-buckets.ts'

export interface RateLimitConfig {
  readonly RATE_LIMIT_CREDENTIAL: number
  readonly RATE_LIMIT_WORKSPACE: number
  /** A full bucket is what refills in this many seconds. */
  readonly RATE_LIMIT_BURST_SECONDS: number
}

interface RateLimitDeps {
  readonly config: RateLimitConfig
  readonly bus: Bus
  readonly log: BusLog
  readonly metrics: Metrics
}

export function openRateLimits({ config, bus, log, metrics }: RateLimitDeps): {
  readonly rateLimits: RateLimits
  readonly stop: () => void
} {
  const now = () => performance.now() / 1000
  let shared: Shared | undefined
  const bucketsOf = (perSecond: number) =>
    perSecond > 0
      ? createTokenBuckets({
          perSecond,
          burst: Math.max(1, Math.round(perSecond * config.RATE_LIMIT_BURST_SECONDS)),
          now,
          onMuchUsed: () => shared?.soon(),
        })
      : undefined
  const credential = bucketsOf(config.RATE_LIMIT_CREDENTIAL)
  const workspace = bucketsOf(config.RATE_LIMIT_WORKSPACE)
  if (credential || workspace) {
    shared = shareUse(bus, log, { ...(credential && { credential }), ...(workspace && { workspace }) })
  }
  return {
    rateLimits: createRateLimits({ credential, workspace }, metrics),
    stop: () => shared?.stop(),
  }
}
