/** The three variants of the offer create input: docs/specification.md, R21 and R22. */
import * as z from 'zod'
import { refusedNames } from '../core/refused-names.ts'
import { emailAddress, endOfTime, list, text } from '../core/text.ts'

const email = emailAddress.describe('An email address; compared without regard to case.')

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
const tier = text(0, 32).describe('Legacy advisory billing tier.')

const shared = {
  allowed_emails: list(email, { max: 50 })
    .default([])
    .describe('Who may use the offer; empty: any authenticated customer.'),
  field_values: z
    .record(z.string(), fieldValue)
    .optional()
    .describe('Pre-filled values by property of the version’s input schema.'),
  customer: z
    .strictObject({ display_name: text(1, 200), external_id: text(1, 200).optional() })
    .meta({ id: 'CustomerSnapshot' })
    .optional()
    .describe('Seller-only snapshot of the customer.'),
  internal_note: text(0, 500).optional().describe('Seller-only note.'),
  commercial_mode: z.enum(['paid', 'non_billable_test']).optional().describe('The requested customer path.'),
  pricing_request: z
    .strictObject({
      currency: z.enum(['eur', 'usd']),
      unit_amount: z.int().min(0).max(100_000_000).describe('In the smallest currency unit.'),
      interval: z.enum(['month', 'year']),
    })
    .meta({ id: 'Price' })
    .optional()
    .describe('The requested price, subject to the channel’s policy.'),
  notes: text(0, 500).optional().describe('Note for entitled customers.'),
  expires_at: z
    .int()
    .min(1)
    .max(endOfTime)
    .optional()
    .describe('Unix seconds after which the offer cannot be redeemed.'),
  max_uses: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .default(1)
    .describe('Successful redemptions; null: unlimited.'),
  order_ttl_minutes: z.int().min(1).max(1440).default(120).describe('Time to live of an order, in minutes.'),
  allow_api_tokens: z
    .boolean()
    .default(false)
    .describe('Whether API tokens of other workspaces may order. Only where `allowed_emails` is empty.'),
}

export const productBacked = z
  .strictObject({
    // Also the variant of a body that names neither.
    product_id: text(1, 55, 'is required: send product_id or package_version_id').describe(
      productDescription,
    ),
    package_version_id: packageVersionId.optional(),
    ...shared,
    tier: tier.optional(),
  })
  .meta({ id: 'ProductBackedOffer', description: 'Product-backed offer.' })

export const versionBacked = z
  .strictObject({ package_version_id: packageVersionId, ...shared, tier: tier.optional() })
  .meta({ id: 'VersionBackedOffer', description: 'Package-version-backed offer.' })

export const channelBacked = z
  .strictObject({
    product_id: productId,
    offer_channel_id: text(1, 54).describe('The channel whose active policy resolves the terms.'),
    package_version_id: packageVersionId.optional(),
    ...shared,
  })
  .meta({ id: 'ChannelBackedOffer', description: 'Channel-backed offer.' })
  .register(refusedNames, {
    tier: "is not accepted with offer_channel_id: the channel's policy decides the terms",
  })

export const offerInput = z.union([productBacked, versionBacked, channelBacked])
export type OfferInput = z.output<typeof productBacked> &
  Partial<Pick<z.output<typeof channelBacked>, 'offer_channel_id'>> & { product_id?: string }

/** The variant by the keys that are present: C with a channel, B with a version alone, else A. */
export function offerVariant(body: object) {
  if (Object.hasOwn(body, 'offer_channel_id')) return channelBacked
  if (!Object.hasOwn(body, 'product_id') && Object.hasOwn(body, 'package_version_id')) return versionBacked
  return productBacked
}
