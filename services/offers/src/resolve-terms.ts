/** Rule 8: the channel's active policy decides the terms; the request only asks. */
import { type ErrorEntry, entryOf } from '@svc/contract/errors'
import type { OfferInput } from '@svc/contract/offer-input'
import type { ChannelPolicy } from '@svc/contract/offers'

type Price = NonNullable<OfferInput['pricing_request']>

export interface Terms {
  readonly approval: ChannelPolicy['approval']
  readonly checkout: ChannelPolicy['checkout']
  readonly support: string | null
  readonly commercial_mode: NonNullable<OfferInput['commercial_mode']>
  readonly price: Price | null
}

/** Terms of an offer without a channel: any price, any mode, no checkout (design, "Create"). */
const builtInPolicy: ChannelPolicy = {
  approval: 'automatic',
  checkout: 'none',
  support: null,
  pricing: {
    kind: 'range',
    currencies: ['eur', 'usd'],
    intervals: ['month', 'year'],
    min_unit_amount: 0,
    max_unit_amount: 100_000_000,
  },
  allow_non_billable_test: true,
}

/** Resolves what was requested against a policy; what the policy refuses comes back as problems with their paths. */
export function resolveTerms(
  { commercial_mode = 'paid', pricing_request }: OfferInput,
  policy: ChannelPolicy = builtInPolicy,
): { terms: Terms; problems: ErrorEntry[] } {
  const billable = commercial_mode === 'paid'
  const problems = pricing_request ? priceProblems(pricing_request, policy.pricing) : []
  if (!billable && !policy.allow_non_billable_test) {
    problems.push(entryOf('mode_refused', { path: ['commercial_mode'] }))
  }
  const price = pricing_request ?? (policy.pricing.kind === 'fixed' ? fixedPrice(policy.pricing) : null)
  if (billable && policy.checkout === 'required' && !price) {
    problems.push(
      entryOf('price_refused', {
        path: ['pricing_request'],
        message: 'The offer channel requires a checkout, so the offer needs a price: send pricing_request.',
      }),
    )
  }
  const { approval, checkout, support } = policy
  const terms = { approval, checkout: billable ? checkout : 'none', support, commercial_mode, price } as const
  return { terms, problems }
}

const fixedPrice = ({ currency, unit_amount, interval }: Price): Price => ({
  currency,
  unit_amount,
  interval,
})

function priceProblems(price: Price, pricing: ChannelPolicy['pricing']): ErrorEntry[] {
  const allowed =
    pricing.kind === 'fixed'
      ? {
          currency: [pricing.currency],
          interval: [pricing.interval],
          min: pricing.unit_amount,
          max: pricing.unit_amount,
        }
      : {
          currency: pricing.currencies,
          interval: pricing.intervals,
          min: pricing.min_unit_amount,
          max: pricing.max_unit_amount,
        }
  const refuse = (field: keyof Price, rule: string) =>
    entryOf('price_refused', {
      path: ['pricing_request', field],
      message: `The offer channel's policy wants ${field} to be ${rule}.`,
    })
  const problems: ErrorEntry[] = []
  if (!allowed.currency.includes(price.currency))
    problems.push(refuse('currency', allowed.currency.join(' or ')))
  if (!allowed.interval.includes(price.interval))
    problems.push(refuse('interval', allowed.interval.join(' or ')))
  if (price.unit_amount < allowed.min || price.unit_amount > allowed.max) {
    problems.push(
      refuse(
        'unit_amount',
        allowed.min === allowed.max ? `${allowed.min}` : `from ${allowed.min} to ${allowed.max}`,
      ),
    )
  }
  return problems
}
