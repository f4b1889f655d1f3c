/** The gateway's cache of answers by auth-tokens, and when it may be used: docs/people/leases.md. */
import { type Lease, leaseMs, longestUseMs, usableMs } from '@svc/contract/auth-tokens/leases'
import type { Caller } from '@svc/contract/core/caller'
import { LRUCache } from 'lru-cache'

export interface LeaseClocks {
  /** Milliseconds; monotonic, and stops only with the machine. */
  readonly monotonic: () => number
  readonly wall: () => number
}

export interface Sent {
  readonly monotonic: number
  readonly wall: number
}

export interface Renewed {
  readonly grant: string
  /** Unix milliseconds of the database's clock. */
  readonly until: number
}

export type AllowsAddress = (address: string) => boolean

export interface Answer {
  readonly caller: Caller
  /** Whether the credential is accepted from an address; absent: from any. */
  readonly allows?: AllowsAddress | undefined
}

export interface CachedAnswer extends Answer {
  /** Unix milliseconds of the database's clock, for `Svc-Admitted-Until`. */
  readonly until: number
}

/** Generation of a look-up that is sent now. Its result may be cached unless something it depends on is recalled meanwhile. */
export type Generation = number

export interface LeasedCache {
  /** The answer to a look-up, if one may be used now. */
  get(key: string): CachedAnswer | undefined
  /** Call it when sending a look-up; undefined: its answer may not be cached. */
  generation(): Generation | undefined
  set(key: string, answer: Answer, lease: Lease, generation: Generation | undefined): void
  renewed(sent: Sent, renewed: Renewed): void
  /** Drops answers that depend on these. The recall may be acknowledged afterwards. */
  recall(principals: readonly string[]): void
  lapse(): void
  now(): Sent
  readonly size: number
}

interface Entry {
  readonly answer: Answer
  readonly principals: readonly string[]
  readonly endsAt: number
  readonly cachedAt: number
}

interface Grant extends Sent, Renewed {}

const unusedMs = leaseMs - usableMs
const maxCached = 20_000
/** Only the last recall per principal is remembered. Look-ups take seconds; thousands of recalls fit. */
const maxRecalled = 10_000
/** A greater difference between the clocks means that the machine was suspended, or somebody set the time. */
const clockMarginMs = 250

export function createLeasedCache(
  { monotonic, wall }: LeaseClocks,
  { max = maxCached, maxRemembered = maxRecalled }: { max?: number; maxRemembered?: number } = {},
): LeasedCache {
  let grant: Grant | undefined
  let generation = 0
  /** Results of older look-ups are not cached: recalls from that time are forgotten. */
  let oldest = 0
  const recalled = new Map<string, Generation>()
  const byPrincipal = new Map<string, Set<string>>()
  const entries = new LRUCache<string, Entry>({ max, dispose: forgetPrincipals })

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry || !grant || !isValid(grant)) return undefined
      if (entry.endsAt > wall() && monotonic() - entry.cachedAt < longestUseMs) {
        return { ...entry.answer, until: grant.until - unusedMs }
      }
      entries.delete(key)
      return undefined
    },
    generation: () => (grant && isValid(grant) ? generation : undefined),
    set(key, answer, { principals, ends_at }, sentIn) {
      if (sentIn === undefined || sentIn < oldest) return
      if (principals.some(principal => (recalled.get(principal) ?? 0) > sentIn)) return
      const endsAt = ends_at === null ? Number.POSITIVE_INFINITY : ends_at * 1000
      entries.set(key, { answer, principals, endsAt, cachedAt: monotonic() })
      for (const principal of principals) {
        const keys = byPrincipal.get(principal)
        if (keys) keys.add(key)
        else byPrincipal.set(principal, new Set([key]))
      }
    },
    renewed(sent, renewed) {
      if (grant?.grant !== renewed.grant) lapse()
      grant = { ...sent, ...renewed }
    },
    recall(principals) {
      generation++
      for (const principal of principals) {
        for (const key of byPrincipal.get(principal) ?? []) entries.delete(key)
        remember(principal)
      }
    },
    lapse,
    now: () => ({ monotonic: monotonic(), wall: wall() }),
    get size() {
      return entries.size
    },
  }

  function isValid(sent: Sent): boolean {
    const passed = monotonic() - sent.monotonic
    return passed < usableMs && Math.abs(wall() - sent.wall - passed) <= clockMarginMs
  }

  function lapse() {
    grant = undefined
    oldest = ++generation
    recalled.clear()
    entries.clear()
  }

  function remember(principal: string) {
    recalled.delete(principal)
    recalled.set(principal, generation)
    if (recalled.size <= maxRemembered) return
    const [first] = recalled
    if (!first) return
    const [forgotten, recalledIn] = first
    recalled.delete(forgotten)
    oldest = recalledIn
  }

  function forgetPrincipals({ principals }: Entry, key: string) {
    for (const principal of principals) {
      const keys = byPrincipal.get(principal)
      keys?.delete(key)
      if (keys?.size === 0) byPrincipal.delete(principal)
    }
  }
}
