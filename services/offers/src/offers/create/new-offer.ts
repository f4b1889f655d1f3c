/** An offer to be written, and what became of it. */
import type { Attribution } from '@svc/contract/core/actor'
import type { Asked } from '@svc/runtime/coalesce-statements'
import type { KeyRow, IdempotentRequest } from './idempotency-key.ts'
import type { OfferRecord } from './offer-record.ts'

export interface NewOffer extends Asked {
  readonly offer: OfferRecord
  /** Whether the version is the product's current one rather than one that was named. */
  readonly pinned: boolean
  readonly use: IdempotentRequest | undefined
  readonly by: Attribution
}

/** What became of it: written, or not because a reference moved, or because the key has the row `key` already. */
export type WriteOfferResult =
  | { readonly is: 'written' }
  | { readonly is: 'moved' }
  | { readonly is: 'taken'; readonly key: KeyRow }

/** A row that says why an offer was not written: its key's, or, without a fence, that a reference moved. */
export type Exception = KeyRow | { readonly fence: null }

export function outcomeOf(exception: Exception | undefined): WriteOfferResult {
  if (!exception) return { is: 'written' }
  return exception.fence === null ? { is: 'moved' } : { is: 'taken', key: exception }
}
