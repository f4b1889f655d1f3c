import type { Caller } from '@svc/contract/core/caller'
import type { offers } from '@svc/contract/offers/offers'
import type { Reply } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { hideSealed, inOffer } from '../sealing/sealed-values.ts'
import { warningsOf } from './offer-warnings.ts'

type Offer = Reply<typeof offers.operations.get_offer>['body']
type Summary = Reply<typeof offers.operations.list_offers>['body']['data'][number]

interface Seats {
  readonly max_uses: number | null
  readonly redeemed: number
  readonly reserved: number
}

/** Times in Unix seconds. */
export type SummaryRow = Omit<Summary, 'seats'> & Seats

export type OfferRow = Omit<Offer, 'seats' | 'created_by' | 'warnings'> &
  Seats & {
    readonly created_by: {
      readonly kind: Exclude<Caller['kind'], 'anonymous'>
      readonly id: string
      readonly user?: string
    }
  }

/** Free seats are computed from the others, so that no count can differ. */
export const summaryOf = <Row extends Seats>({ max_uses, redeemed, reserved, ...row }: Row) => ({
  ...row,
  seats: {
    max_uses,
    redeemed,
    reserved,
    available: max_uses === null ? null : Math.max(0, max_uses - redeemed - reserved),
  },
})

export const offerReply = (row: OfferRow, deps: Pick<Deps, 'checkout'>) => ({
  body: offerOf(row, deps),
  headers: { ETag: `"${row.etag}"` },
})

export const offerOf = (
  { created_by: { kind, id, user }, ...row }: OfferRow,
  { checkout }: Pick<Deps, 'checkout'>,
): Offer => ({
  ...summaryOf(row),
  field_values: inOffer(row.field_values, hideSealed),
  created_by: { kind, id, user: user ?? null },
  warnings: warningsOf(row, checkout.provider),
})
