/** Rule 8: the channel's active policy decides the terms; the request only asks. */
import {
  type ChannelPolicy,
  type Entitlements,
  type Price,
  refusedFields,
} from '@svc/contract/offers/channel-policy'
import { type ErrorEntry, entryOf } from '@svc/contract/core/errors'
import type { OfferInput } from '@svc/contract/offers/offer-input'

export interface Terms {
  readonly approval: ChannelPolicy['approval']
  readonly checkout: ChannelPolicy['checkout']
  readonly support: string | null
  readonly payment_instructions: string | null
  readonly entitlements: Entitlements
  readonly licence_days: number
  readonly grace_days?: number
  readonly commercial_mode: NonNullable<OfferInput['commercial_mode']>
  readonly price: Price | null
}

/** Resolves what was requested against a policy; what the policy refuses comes back as problems with their paths. */
export function resolveTerms(
  body: OfferInput,
  policy?: ChannelPolicy,
): { terms: Terms; problems: ErrorEntry[] } {
  if (!policy) return { terms: withoutChannel(body), problems: [] }
  const { pricing_request, commercial_mode = policy.default_commercial_mode } = body
  const { approval, checkout, support, payment_instructions, grace_days, pricing } = policy
  const billable = commercial_mode === 'paid'
  const problems = pricing_request ? priceProblems(pricing_request, pricing) : []
  if (!billable && !policy.allow_non_billable_test) {
    problems.push(entryOf('mode_refused', { path: ['commercial_mode'] }))
  }
  const price = pricing_request ?? defaultPrice(pricing)
  return {
    terms: {
      approval,
      checkout: billable ? checkout : 'none',
      support,
      payment_instructions,
      entitlements: policy.entitlements ?? noLicenceTerms.entitlements,
      licence_days: policy.licence_days ?? noLicenceTerms.licence_days,
      grace_days,
      commercial_mode,
      price,
    },
    problems,
  }
}

/** A policy may be older than these. */
const noLicenceTerms = { entitlements: {}, licence_days: 30 }

/** Any price, any mode, no checkout (docs/specification.md, R27). */
const withoutChannel = ({ commercial_mode = 'paid', pricing_request = undefined }: OfferInput): Terms => ({
  approval: 'automatic',
  checkout: 'none',
  support: null,
  payment_instructions: null,
  ...noLicenceTerms,
  commercial_mode,
  price: pricing_request ?? null,
})

function defaultPrice(pricing: ChannelPolicy['pricing']): Price {
  const { currency, unit_amount, interval } = pricing.kind === 'fixed' ? pricing : pricing.default_price
  return { currency, unit_amount, interval }
}

const priceProblems = (price: Price, pricing: ChannelPolicy['pricing']): ErrorEntry[] =>
  refusedFields(price, pricing).map(({ field, rule, accepted }) =>
    entryOf('price_refused', {
      path: ['pricing_request', field],
      message: `The offer channel's policy requires ${field} to be ${rule}.`,
      metadata: accepted,
    }),
  )
