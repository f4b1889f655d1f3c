/** How many requests a credential and a workspace may send: docs/bounds/limits.md. */
import { credentialKey } from '@svc/bus/flow'
import type { Caller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import type { RateLimitUse } from '@svc/contract/auth-tokens/limits'
import { hashCredential } from '@svc/runtime/credential'
import type { Metrics } from '@svc/telemetry/metrics'
import { LRUCache } from 'lru-cache'
import type { TokenBuckets } from './token-buckets.ts'

export interface RateLimitPolicies {
  readonly credential?: TokenBuckets | undefined
  readonly workspace?: TokenBuckets | undefined
}

export interface RateLimits {
  /**
   * Counts one request of the caller.
   *
   * @returns the headers for the answer
   * @throws ApiError `RateLimited`, with those headers, if nothing is left
   */
  spend(caller: Caller, credential: string, context: string | undefined): Record<string, string>
  /**
   * Refuses a credential that is known to be over its limit before it is looked up. It never admits anyone.
   *
   * @throws ApiError `RateLimited`
   */
  refuseEmpty(credential: string, context: string | undefined): void
  usage(caller: Caller): RateLimitUse[]
}

type PolicyName = keyof RateLimitPolicies

interface Limit {
  readonly policy: PolicyName
  readonly buckets: TokenBuckets
  readonly key: string
}

const maxEmpty = 10_000

export function createRateLimits(policies: RateLimitPolicies, metrics: Metrics): RateLimits {
  const named = (['credential', 'workspace'] as const).flatMap(policy => {
    const buckets = policies[policy]
    return buckets ? [{ policy, buckets }] : []
  })
  const refused = Object.fromEntries(
    named.map(({ policy }) => {
      const count = metrics.counter('svc_rate_limited_total', { policy })
      count(0)
      return [policy, count]
    }),
  )
  const policyHeader = named
    .map(
      ({ policy, buckets: { burst, perSecond } }) =>
        `"${policy}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    )
    .join(', ')
  /** Callers with nothing left, by what they sent. Dropping one costs a look-up. */
  const empty = new LRUCache<string, Caller>({ max: maxEmpty })

  return {
    spend(caller, credential, context) {
      const limits = limitsOf(caller)
      if (limits.length === 0) return {}
      if (limits.some(isEmpty)) {
        empty.set(nameOf(credential, context), caller)
        throw refuse(limits)
      }
      for (const { buckets, key } of limits) buckets.spend(key)
      return headersOf(limits)
    },
    refuseEmpty(credential, context) {
      if (empty.size === 0) return
      const sent = nameOf(credential, context)
      const caller = empty.get(sent)
      if (!caller) return
      const limits = limitsOf(caller)
      if (limits.some(isEmpty)) throw refuse(limits)
      empty.delete(sent)
    },
    usage: caller =>
      limitsOf(caller).map(({ policy, buckets, key }) => {
        const { burst, perSecond } = buckets
        const level = buckets.level(key)
        return {
          policy,
          limit: burst,
          window_seconds: Math.ceil(burst / perSecond),
          remaining: Math.max(0, Math.floor(level)),
          resets_in_seconds: Math.ceil((burst - level) / perSecond),
        }
      }),
  }

  function limitsOf(caller: Caller): Limit[] {
    if (caller.kind === 'anonymous' || caller.kind === 'internal') return []
    const keys = { credential: credentialKey(caller), workspace: caller.workspace }
    return named.flatMap(({ policy, buckets }) => {
      const key = keys[policy]
      return key === undefined ? [] : [{ policy, buckets, key }]
    })
  }

  function refuse(limits: Limit[]) {
    const waits = limits.map(({ buckets, key }) => (1 - buckets.level(key)) / buckets.perSecond)
    const longest = limits[waits.indexOf(Math.max(...waits))]
    if (longest) refused[longest.policy]?.()
    const seconds = Math.max(1, Math.ceil(Math.max(...waits)))
    const whose = longest?.policy === 'workspace' ? 'of your workspace' : 'with this credential'
    return refusal('rate_limited', {
      message: `Too many requests ${whose} in a short time. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      headers: { ...headersOf(limits), 'Retry-After': String(seconds) },
    })
  }

  function headersOf(limits: Limit[]): Record<string, string> {
    let left = ''
    for (const { policy, buckets, key } of limits) {
      const level = buckets.level(key)
      const seconds = Math.ceil((buckets.burst - level) / buckets.perSecond)
      left += `${left && ', '}"${policy}";r=${Math.max(0, Math.floor(level))};t=${seconds}`
    }
    return { 'RateLimit-Policy': policyHeader, RateLimit: left }
  }
}

const isEmpty = ({ buckets, key }: Limit) => buckets.level(key) < 1

const nameOf = (credential: string, context = '') => `${hashCredential(credential)} ${context}`
