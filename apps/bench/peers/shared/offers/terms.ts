/** Rule 8: the channel's active policy decides the terms. */
import { type Problem, unprocessable } from '../refusal.ts'
import type { CommercialMode, OfferInput, Price } from './offer-input.ts'

export interface Policy {
  approval: 'automatic' | 'manual'
  checkout: 'none' | 'required'
  support: string | null
  pricing:
    | {
        kind: 'range'
        currencies: string[]
        intervals: string[]
        min_unit_amount: number
        max_unit_amount: number
        default_price: Price
      }
    | ({ kind: 'fixed' } & Price)
  allow_non_billable_test: boolean
  default_commercial_mode: CommercialMode
}

export interface Terms {
  approval: Policy['approval']
  checkout: Policy['checkout']
  support: string | null
  commercial_mode: CommercialMode
  price: Price | null
}

/** Without a channel: any price, any mode, no checkout. */
const openTerms = ({ commercial_mode = 'paid', pricing_request = undefined }: OfferInput): Terms => ({
  approval: 'automatic',
  checkout: 'none',
  support: null,
  commercial_mode,
  price: pricing_request ?? null,
})

export function resolveTerms(
  body: OfferInput,
  policy: Policy | undefined,
): { terms: Terms; problems: Problem[] } {
  if (!policy) return { terms: openTerms(body), problems: [] }
  const { commercial_mode = policy.default_commercial_mode, pricing_request } = body
  const { approval, support, pricing } = policy
  const paid = commercial_mode === 'paid'
  const problems: Problem[] = []
  if (pricing_request && !allows(pricing, pricing_request)) {
    problems.push(unprocessable('pricing_request', 'is refused by the policy of the offer channel'))
  }
  if (!paid && !policy.allow_non_billable_test) {
    problems.push(unprocessable('commercial_mode', 'is refused by the policy of the offer channel'))
  }
  const price = pricing_request ?? (pricing.kind === 'fixed' ? fixedPrice(pricing) : pricing.default_price)
  const checkout = paid ? policy.checkout : 'none'
  return { terms: { approval, checkout, support, commercial_mode, price }, problems }
}

const fixedPrice = ({ currency, unit_amount, interval }: Price): Price => ({
  currency,
  unit_amount,
  interval,
})

function allows(pricing: Policy['pricing'], { currency, unit_amount, interval }: Price): boolean {
  if (pricing.kind === 'fixed') {
    return (
      currency === pricing.currency && unit_amount === pricing.unit_amount && interval === pricing.interval
    )
  }
  return (
    pricing.currencies.includes(currency) &&
    pricing.intervals.includes(interval) &&
    unit_amount >= pricing.min_unit_amount &&
    unit_amount <= pricing.max_unit_amount
  )
}
