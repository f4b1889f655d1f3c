/** Writes an offer where nothing had to be reserved; offers that come together are written by one statement. */
import { ApiError } from '@svc/contract/errors'
import { type Asked, coalesceStatements } from '@svc/runtime/coalesce-statements'
import type { Database } from '@svc/runtime/database'
import type { KeyRow, KeyUse } from './idempotency-key.ts'
import { insertOffer } from './insert-offer.ts'
import { insertOffers } from './insert-offers.ts'
import type { OfferRecord } from './offer-record.ts'

export interface NewOffer extends Asked {
  readonly offer: OfferRecord
  /** Whether the version is the product's current one rather than one that was named. */
  readonly pinned: boolean
  readonly use: KeyUse | undefined
}

/** What became of it: written, or not because a reference moved, or because the key has the row `key` already. */
export type Outcome =
  | { readonly is: 'written' }
  | { readonly is: 'moved' }
  | { readonly is: 'taken'; readonly key: KeyRow }

/**
 * Writes an offer, and with it its key, together or not at all: provided that the product's current version and the
 * channel's policy still are those that the offer was resolved with.
 */
export type WriteOffer = (wanted: NewOffer) => Promise<Outcome>

export function createOfferWriter(database: Database): WriteOffer {
  const full = new RecentlyFull()
  const write = coalesceStatements<NewOffer, Outcome>(
    database,
    async (sql, wanted) => {
      const [only] = wanted
      // For one row the statement for many costs PostgreSQL more than the plain one.
      return wanted.length === 1 && only ? [await insertOffer(sql, only)] : insertOffers(sql, wanted)
    },
    { name: 'offers', laneOf: ({ offer: { workspace_id } }) => full.laneOf(workspace_id) },
  )
  return wanted =>
    write(wanted).catch(error => {
      if (error instanceof ApiError && error.reason === 'quota_exceeded') full.add(wanted.offer.workspace_id)
      throw error
    })
}

/**
 * Workspaces whose quota of offers was used up a moment ago. They write in statements of their own: one that is refused is
 * tried again offer by offer, which others would pay for.
 */
class RecentlyFull {
  readonly #until = new Map<string, number>()

  add(workspace: string) {
    if (this.#until.size >= maxFull) this.#until.clear()
    this.#until.set(workspace, performance.now() + fullMs)
  }

  laneOf(workspace: string): string {
    const until = this.#until.get(workspace)
    if (until === undefined) return ''
    if (until > performance.now()) return workspace
    this.#until.delete(workspace)
    return ''
  }
}

const fullMs = 10_000
const maxFull = 10_000

/** A row that says why an offer was not written: its key's, or, without a fence, that a reference moved. */
export type Exception = KeyRow | { readonly fence: null }

export function outcomeOf(exception: Exception | undefined): Outcome {
  if (!exception) return { is: 'written' }
  return exception.fence === null ? { is: 'moved' } : { is: 'taken', key: exception }
}
