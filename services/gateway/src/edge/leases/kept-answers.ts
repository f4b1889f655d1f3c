/** What a gateway keeps of the answers of auth-tokens, and while it may use it: docs/people/leases.md. */
import { type Lease, leaseMs, longestUseMs, usableMs } from '@svc/contract/auth-tokens/leases'
import type { Caller } from '@svc/contract/core/caller'
import { LRUCache } from 'lru-cache'

export interface LeaseClocks {
  /** Milliseconds; never goes back, and stands still only while the machine does. */
  readonly monotonic: () => number
  /** Unix milliseconds. */
  readonly wall: () => number
}

/** A renewal when it was sent. */
export interface Sent {
  readonly monotonic: number
  readonly wall: number
}

export interface Renewed {
  readonly grant: string
  /** Unix milliseconds of the database's clock. */
  readonly until: number
}

export interface KeptAnswer {
  readonly caller: Caller
  /** Unix milliseconds of the database's clock, for `Svc-Admitted-Until`. */
  readonly until: number
}

/** Generation of a look-up that is sent now. Its result may be cached unless something it depends on is recalled meanwhile. */
export type Generation = number

export interface KeptAnswers {
  /** The answer to a look-up, where one may be used now. */
  find(key: string): KeptAnswer | undefined
  /** Call it when a look-up is sent; undefined: its answer may not be kept. */
  generation(): Generation | undefined
  keep(key: string, caller: Caller, lease: Lease, generation: Generation | undefined): void
  /** A renewal that was `sent` then has been answered. */
  renewed(sent: Sent, renewed: Renewed): void
  /** Drops what rests on these. The recall may be acknowledged after that. */
  recall(principals: readonly string[]): void
  /** Drops everything, until the next renewal. */
  lapse(): void
  now(): Sent
  readonly size: number
}

interface Entry {
  readonly caller: Caller
  readonly principals: readonly string[]
  /** Unix milliseconds. */
  readonly endsAt: number
  /** By the monotonic clock. */
  readonly keptAt: number
}

interface Grant extends Sent, Renewed {}

const unusedMs = leaseMs - usableMs
const maxKept = 20_000
/** Only the last recall per principal is remembered. Look-ups take seconds; thousands of recalls fit. */
const maxRecalled = 10_000
/** More than this between the two clocks: the machine was suspended, or somebody set the time. */
const clockMarginMs = 250

export function createKeptAnswers(
  { monotonic, wall }: LeaseClocks,
  { max = maxKept, maxRemembered = maxRecalled }: { max?: number; maxRemembered?: number } = {},
): KeptAnswers {
  let grant: Grant | undefined
  /** Each recall is the next one, and so is each loss of everything. */
  let generation = 0
  /** Results of older look-ups are not cached: recalls from that time are forgotten. */
  let oldest = 0
  /** By principal, the generation of its last recall: the one longest ago comes first. */
  const recalled = new Map<string, Generation>()
  const byPrincipal = new Map<string, Set<string>>()
  const entries = new LRUCache<string, Entry>({ max, dispose: forgetPrincipals })

  return {
    find(key) {
      const entry = entries.get(key)
      if (!entry || !grant || !isValid(grant)) return undefined
      if (entry.endsAt > wall() && monotonic() - entry.keptAt < longestUseMs) {
        return { caller: entry.caller, until: grant.until - unusedMs }
      }
      entries.delete(key)
      return undefined
    },
    generation: () => (grant && isValid(grant) ? generation : undefined),
    keep(key, caller, { principals, ends_at }, sentIn) {
      if (sentIn === undefined || sentIn < oldest) return
      if (principals.some(principal => (recalled.get(principal) ?? 0) > sentIn)) return
      const endsAt = ends_at === null ? Number.POSITIVE_INFINITY : ends_at * 1000
      entries.set(key, { caller, principals, endsAt, keptAt: monotonic() })
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
