import type { Caller } from '../caller.ts'
import type { Pool } from '../pool.ts'
import { createInOneStatement } from './create-in-one-statement.ts'
import { createInTransaction } from './create-in-transaction.ts'
import type { CreatedOffer, OfferInput } from './offer-input.ts'

export type CreateOffer = (
  pool: Pool,
  caller: Caller,
  body: OfferInput,
  key: string | undefined,
) => Promise<CreatedOffer>

/** @param writes `begin` or `statement` */
export function createOfferBy(writes: string | undefined): CreateOffer {
  if (writes === 'begin') return createInTransaction
  if (writes === 'statement') return createInOneStatement
  throw new Error(`WRITES is "begin" or "statement", not "${writes}".`)
}
