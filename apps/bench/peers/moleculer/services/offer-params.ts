/** The body of POST /offers: the three variants in one object, which the last rule tells apart. */
import { emailPattern, endOfTime, type OfferInput } from '../../shared/offers/offer-input.ts'
import { integer, object, oneOf, optional, text } from './rules.ts'

export const offerParams = {
  $$strict: true,
  product_id: optional(text(1, 55)),
  package_version_id: optional(text(1, 55)),
  offer_channel_id: optional(text(1, 54)),
  allowed_emails: {
    type: 'array',
    optional: true,
    nullable: false,
    max: 50,
    items: { ...text(1, 254), pattern: emailPattern },
  },
  field_values: optional({
    type: 'record',
    nullable: false,
    key: 'string',
    value: object({
      // Any JSON value, null included; left out is something else.
      value: { type: 'any' },
      locked: { type: 'boolean', nullable: false },
    }),
  }),
  customer: optional(object({ display_name: text(1, 200), external_id: optional(text(1, 200)) })),
  internal_note: optional(text(0, 500)),
  commercial_mode: optional(oneOf('paid', 'non_billable_test')),
  pricing_request: optional(
    object({
      currency: oneOf('eur', 'usd'),
      unit_amount: integer(0, 100_000_000),
      interval: oneOf('month', 'year'),
    }),
  ),
  notes: optional(text(0, 500)),
  expires_at: optional(integer(1, endOfTime)),
  max_uses: optional({ ...integer(1, 10_000), nullable: true }),
  order_ttl_minutes: optional(integer(1, 1440)),
  tier: optional(text(0, 32)),
}

/** Not by the validator's `default`, which would stand in for a null that was sent as well. */
export const withDefaults = (params: Partial<OfferInput>): OfferInput => ({
  allowed_emails: [],
  max_uses: 1,
  order_ttl_minutes: 120,
  ...params,
})

/** What is wrong with the combination of properties, if anything is. */
export function variantProblem({
  product_id,
  package_version_id,
  offer_channel_id,
  tier,
}: Partial<OfferInput>) {
  if (product_id === undefined && package_version_id === undefined) return 'product_id'
  if (offer_channel_id === undefined) return undefined
  if (product_id === undefined) return 'product_id'
  return tier === undefined ? undefined : 'tier'
}
