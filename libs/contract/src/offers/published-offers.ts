import * as z from 'zod'
import { channelPolicy } from './channel-policy.ts'
import { productBacked } from './offer-input.ts'
import { createdAt, idOf, pathId, unixSeconds } from '../core/text.ts'

export const offerStates = ['active', 'exhausted', 'expired', 'revoked'] as const
export type OfferState = (typeof offerStates)[number]

const asked = productBacked.shape
const count = z.int().min(0)

type Echoed<Shape> = {
  [Name in keyof Shape as Shape[Name] extends z.ZodOptional
    ? Name
    : never]: Shape[Name] extends z.ZodOptional<infer Value extends z.ZodType> ? z.ZodNullable<Value> : never
}

/** Optional properties of a creation as answers have them: as sent, or null. Text may be older than its bounds. */
function echoed<Shape extends z.ZodRawShape>(shape: Shape) {
  const entries = Object.entries(shape).flatMap(([name, property]) => {
    if (!(property instanceof z.ZodOptional)) return []
    const value = property.unwrap() as z.ZodType
    const answered = z.nullable(value instanceof z.ZodString ? z.string() : value)
    return [[name, answered.describe(`${property.description ?? value.description} Null: none.`)]]
  })
  return Object.fromEntries(entries) as Echoed<Shape>
}

const sent = echoed(
  productBacked.omit({ package_version_id: true, field_values: true, expires_at: true }).shape,
)
/** What an offer answers of a creation that sent none of them. */
export const nothingSent = Object.fromEntries(Object.keys(sent).map(name => [name, null])) as {
  [Name in keyof typeof sent]: null
}

/** As the policy resolved them. */
export const offerTerms = z
  .object({
    approval: z
      .enum(['automatic', 'manual'])
      .describe('`manual`: an order waits until the seller approves it.'),
    checkout: z.enum(['none', 'required']).describe('`required`: an order waits until it is paid.'),
    support: z.string().nullable().describe('The support that customers get, in words; null: not said.'),
    payment_instructions: z
      .string()
      .nullable()
      .describe('How the customer pays where the seller confirms payments: plain text; null: not said.'),
    entitlements: channelPolicy.shape.entitlements
      .unwrap()
      .describe('What licences of the install say, for the program to read.'),
    licence_days: z.int().describe('How many days a licence lasts that no subscription pays for.'),
    grace_days: z
      .int()
      .optional()
      .describe('For how many days an install goes on after the paid period; absent: 7.'),
    commercial_mode: asked.commercial_mode.unwrap().describe('`non_billable_test`: nothing is paid.'),
    price: asked.pricing_request
      .unwrap()
      .nullable()
      .describe('Null: an offer without a channel that requested no price.'),
  })
  .meta({ id: 'OfferTerms' })

export const listedTerms = offerTerms
  .pick({ commercial_mode: true, price: true })
  .meta({ id: 'ListedTerms' })
  .describe('What it costs; the other terms are those of the offer.')

export const soldName = z
  .string()
  .describe('Of the product, or of the package of an offer without a product.')

export const offerSummary = z
  .object({
    id: idOf('offer', 'offer'),
    short_hash: z.string().describe('Customers reach the offer at `/i/<short_hash>`.'),
    name: soldName,
    state: z
      .enum(offerStates)
      .describe('`revoked` by the seller; else `exhausted`, `expired` or `active`, the first that is true.'),
    product_id: z
      .string()
      .nullable()
      .describe('The product, `prod_…`; null: an offer of a package version alone.'),
    package_version_id: z
      .string()
      .describe('The version sent, or the product’s current version when the offer was created.'),
    offer_channel_id: z
      .string()
      .nullable()
      .describe('The channel whose policy resolved the terms, `och_…`; null: none.'),
    policy_number: z
      .int()
      .nullable()
      .describe('The number of the channel policy that resolved the terms; null: no channel.'),
    customer: sent.customer,
    terms: listedTerms,
    internal_note: sent.internal_note,
    seats: z
      .object({
        max_uses: z.int().nullable().describe('How many orders may be completed; null: unlimited.'),
        redeemed: count.describe('Taken by completed orders.'),
        reserved: count.describe(
          'Reserved by orders in progress. For an unlimited offer at most 1,000 are counted.',
        ),
        available: count.nullable().describe('Neither redeemed nor reserved; null: unlimited.'),
      })
      .describe('Each order in progress reserves a seat, and each completed one redeems it.'),
    expires_at: unixSeconds
      .nullable()
      .describe('Unix seconds after which it cannot be redeemed; null: it does not expire.'),
    revoked_at: unixSeconds.nullable().describe('Unix seconds; null: it was not revoked.'),
    created_at: createdAt,
  })
  .meta({ id: 'OfferSummary' })

/** Without an order nobody pays, and account numbers are not for everybody. */
export const termsBeforeOrder = offerTerms
  .omit({ payment_instructions: true })
  .meta({ id: 'OfferTermsForCustomers' })

export const offerWarnings = ['short_order_ttl', 'no_payment_instructions'] as const

export const offer = offerSummary
  .extend({
    ...sent,
    etag: z.string().describe('To be sent in `If-Match` with a correction. Orders do not change it.'),
    allowed_emails: z.array(z.string()).describe('Who may use the offer; empty: any authenticated customer.'),
    field_values: asked.field_values
      .unwrap()
      .describe('As sent. Values of `format: password` are replaced by `{"$sealed": true}`.'),
    order_ttl_minutes: z.int().describe('For how many minutes an order reserves its seat.'),
    allow_api_tokens: z.boolean().describe('Whether API tokens of other workspaces may order.'),
    terms: offerTerms.describe('As the policy resolved them.'),
    warnings: z
      .array(
        z
          .object({
            code: z.enum(offerWarnings).describe('Stays the same while the message may be reworded.'),
            message: z.string().describe('In words, with the remedy.'),
          })
          .meta({ id: 'OfferWarning' }),
      )
      .describe('Why its orders may not be completed, though nothing about the offer is invalid.'),
    created_by: z
      .object({
        kind: z.enum(['session', 'jwt', 'api_token', 'internal']).describe('The kind of credential.'),
        id: z.string().describe('The id of the session, token or program.'),
        user: z.string().nullable().describe('The id of the person; null: a token or a program.'),
      })
      .describe('Who created the offer.'),
  })
  .meta({ id: 'Offer' })

export const inPath = z.object({ id: pathId })
