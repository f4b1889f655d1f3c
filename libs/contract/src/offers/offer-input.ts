/** The three variants of the offer create input: docs/specification.md, R21 and R22. */
import * as z from 'zod'
import { emailAddress } from '../core/email-address.ts'
import { refusedNames } from '../core/refused-names.ts'
import { linesText, list, text, unixSecondsFrom } from '../core/text.ts'

const email = emailAddress.describe(
  'An email address; compared without regard to case. An internationalised domain is kept in ASCII, `xn--…`.',
)

/** Refuses only absence: any JSON value, null included, is a value. */
const anyJson = z.unknown().refine(value => value !== undefined, 'is required')

const fieldValue = z
  .strictObject({
    value: anyJson.describe('Pre-fill value for the schema property.'),
    locked: z.boolean().describe('True: the customer cannot override the value.'),
  })
  .meta({ id: 'FieldValue' })

const productDescription = 'For attribution and for resolving the package version.'
const productId = text(1, 55).describe(productDescription)
const packageVersionId = text(1, 55).describe(
  'Pins the package version; wins over the product’s current one.',
)
const tier = text(0, 32).describe('A label for your reference. Not with a channel.')

const shared = {
  allowed_emails: list(email, { max: 50 })
    .default([])
    .describe('Who may use the offer; empty: any authenticated customer.'),
  field_values: z
    .record(z.string(), fieldValue)
    .optional()
    .describe('Pre-filled values by property of the version’s input schema.'),
  customer: z
    .strictObject({
      display_name: text(1, 200).describe('What you call the customer.'),
      external_id: text(1, 200)
        .optional()
        .describe('The customer’s id in a system of yours, such as a CRM. It is not interpreted.'),
    })
    .meta({ id: 'CustomerSnapshot' })
    .optional()
    .describe('Whom the offer is meant for, as you know them. Customers never see it.'),
  internal_note: linesText(0, 500)
    .optional()
    .describe('A note for your own workspace. Customers never see it.'),
  commercial_mode: z
    .enum(['paid', 'non_billable_test'])
    .optional()
    .describe(
      '`paid`: through checkout where the policy requires it. `non_billable_test`: no payment, if the policy allows it. The channel’s policy has the last word.',
    ),
  pricing_request: z
    .strictObject({
      currency: z.enum(['eur', 'usd']).describe('As ISO 4217 names it, in lower case.'),
      unit_amount: z.int().min(0).max(100_000_000).describe('In the smallest currency unit: 4900 is 49.00.'),
      interval: z.enum(['month', 'year']).describe('What the amount pays for: a month or a year.'),
    })
    .meta({ id: 'Price' })
    .optional()
    .describe('The requested price, subject to the channel’s policy.'),
  notes: linesText(0, 500).optional().describe('Shown to customers who may use the offer.'),
  expires_at: unixSecondsFrom(1)
    .optional()
    .describe('Unix seconds after which the offer cannot be redeemed; omitted: it does not expire.'),
  max_uses: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .default(1)
    .describe('How many orders may be completed. Omitted: one; null: unlimited.'),
  order_ttl_minutes: z
    .int()
    .min(1)
    .max(1440)
    .default(120)
    .describe('For how many minutes an order reserves its seat; anew when it is submitted and approved.'),
  allow_api_tokens: z
    .boolean()
    .default(false)
    .describe('Whether API tokens of other workspaces may order. Only where `allowed_emails` is empty.'),
}

export const productBacked = z
  .strictObject({
    // Also the variant of a body that has neither.
    product_id: text(1, 55, 'is required: send product_id or package_version_id').describe(
      productDescription,
    ),
    package_version_id: packageVersionId.optional(),
    ...shared,
    tier: tier.optional(),
  })
  .meta({
    id: 'ProductBackedOffer',
    title: 'Of a product',
    description:
      'With `product_id` and without `offer_channel_id`. The package version is the product’s current one, unless one is named.',
  })

export const versionBacked = z
  .strictObject({ package_version_id: packageVersionId, ...shared, tier: tier.optional() })
  .meta({
    id: 'VersionBackedOffer',
    title: 'Of a package version',
    description: 'With `package_version_id` alone: neither `product_id` nor `offer_channel_id`.',
  })

export const channelBacked = z
  .strictObject({
    product_id: productId,
    offer_channel_id: text(1, 54).describe('The channel whose active policy resolves the terms.'),
    package_version_id: packageVersionId.optional(),
    ...shared,
  })
  .meta({
    id: 'ChannelBackedOffer',
    title: 'Through an offer channel',
    description:
      'With `product_id` and `offer_channel_id`, and without `tier`: the channel’s active policy decides the terms.',
  })
  .register(refusedNames, {
    tier: "is not accepted with offer_channel_id: the channel's policy decides the terms",
  })

/** No two variants accept the same body: what one requires, another one refuses. */
export const offerInput = z
  .xor([productBacked, versionBacked, channelBacked])
  .describe('One of three variants. Which one follows from the ids that are sent.')
export type OfferInput = z.output<typeof productBacked> &
  Partial<Pick<z.output<typeof channelBacked>, 'offer_channel_id'>> & { product_id?: string }

/** The variant by the keys that are present: C with a channel, B with only a version, otherwise A. */
export function offerVariant(body: object) {
  if (Object.hasOwn(body, 'offer_channel_id')) return channelBacked
  if (!Object.hasOwn(body, 'product_id') && Object.hasOwn(body, 'package_version_id')) return versionBacked
  return productBacked
}
