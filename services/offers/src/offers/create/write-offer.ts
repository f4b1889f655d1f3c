/** Writes an offer where nothing had to be reserved; offers that come together are written by one statement. */
import { ApiError } from '@svc/contract/core/errors'
import { coalesceStatements } from '@svc/runtime/coalesce-statements'
import type { Database } from '@svc/runtime/database'
import { LRUCache } from 'lru-cache'
import { insertOffer } from './insert-offer.ts'
import { insertOffers } from './insert-offers.ts'
import type { NewOffer, WriteOfferResult } from './new-offer.ts'

/**
 * Writes an offer, and with it its key, together or not at all: provided that the product's current version and the
 * channel's policy still are those that the offer was resolved with.
 */
export type WriteOffer = (wanted: NewOffer) => Promise<WriteOfferResult>

export function createOfferWriter(database: Database): WriteOffer {
  /**
   * Workspaces whose quota of offers was used up a moment ago. They write in statements of their own: one that is refused is
   * tried again offer by offer, which others would pay for.
   */
  const full = new LRUCache<string, true>({ max: 10_000, ttl: 10_000 })
  const write = coalesceStatements<NewOffer, WriteOfferResult>(
    database,
    async (sql, wanted) => {
      const [only] = wanted
      // For one row the statement for many costs PostgreSQL more than the plain one.
      return wanted.length === 1 && only ? [await insertOffer(sql, only)] : insertOffers(sql, wanted)
    },
    { name: 'offers', laneOf: ({ offer: { workspace_id } }) => (full.has(workspace_id) ? workspace_id : '') },
  )
  return wanted =>
    write(wanted).catch(error => {
      if (error instanceof ApiError && error.reason === 'quota_exceeded')
        full.set(wanted.offer.workspace_id, true)
      throw error
    })
}
