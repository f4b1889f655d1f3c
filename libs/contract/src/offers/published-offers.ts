/** Published offers: list, read, revoke. For the seller only. */
import * as z from 'zod'
import { workspaceMember } from '../core/access.ts'
import { productBacked } from './offer-input.ts'
import type { Operation } from '../core/operation.ts'
import { page, pageQuery, pathId, text, unixSeconds } from '../core/text.ts'

export const offerStates = ['active', 'exhausted', 'expired', 'revoked'] as const
export type OfferState = (typeof offerStates)[number]

const asked = productBacked.shape
const count = z.int().min(0)

const offerSummary = z
  .object({
    id: z.string(),
    short_hash: z.string().describe('Identifies the offer in links for customers.'),
    state: z
      .enum(offerStates)
      .describe('`revoked` by the seller; else `exhausted`, `expired` or `active`, the first that is true.'),
    product_id: z.string().nullable(),
    package_version_id: z
      .string()
      .describe('The version sent, or the product’s current version when the offer was created.'),
    offer_channel_id: z.string().nullable(),
    policy_number: z.int().nullable().describe('The number of the channel policy that resolved the terms.'),
    customer: asked.customer.unwrap().nullable(),
    internal_note: z.string().nullable(),
    seats: z.object({
      max_uses: z.int().nullable().describe('Null: unlimited.'),
      redeemed: count,
      reserved: count.describe(
        'Reserved by orders in progress. For an unlimited offer at most 1,000 are counted.',
      ),
      available: count.nullable().describe('Null: unlimited.'),
    }),
    expires_at: unixSeconds.nullable(),
    revoked_at: unixSeconds.nullable(),
    created_at: unixSeconds,
  })
  .meta({ id: 'OfferSummary' })

const price = asked.pricing_request.unwrap()
const mode = asked.commercial_mode.unwrap()

/** As the policy resolved them. */
export const offerTerms = z
  .object({
    approval: z.enum(['automatic', 'manual']),
    checkout: z.enum(['none', 'required']),
    support: z.string().nullable(),
    payment_instructions: z
      .string()
      .nullable()
      .describe('How the customer pays where the seller confirms payments: plain text.'),
    commercial_mode: mode,
    price: price.nullable(),
  })
  .meta({ id: 'OfferTerms' })

/** Before there is an order nobody pays, and account numbers are not for everybody. */
export const termsBeforeOrder = offerTerms
  .omit({ payment_instructions: true })
  .meta({ id: 'OfferTermsForCustomers' })

export const offerWarnings = ['short_order_ttl', 'no_payment_instructions'] as const

const offer = offerSummary
  .extend({
    allowed_emails: z.array(z.string()),
    field_values: asked.field_values.unwrap(),
    commercial_mode: mode.nullable().describe('As requested.'),
    pricing_request: price.nullable(),
    notes: z.string().nullable(),
    order_ttl_minutes: z.int(),
    tier: z.string().nullable(),
    allow_api_tokens: z.boolean(),
    terms: offerTerms.describe('As the policy resolved them.'),
    warnings: z
      .array(
        z
          .object({ code: z.enum(offerWarnings), message: z.string().describe('In words, with the remedy.') })
          .meta({ id: 'OfferWarning' }),
      )
      .describe('Why its orders may not be completed, though nothing about the offer is invalid.'),
    created_by: z.object({
      kind: z.enum(['session', 'jwt', 'api_token', 'internal']),
      id: z.string().describe('The id of the session, token or program.'),
      user: z.string().nullable(),
    }),
  })
  .meta({ id: 'Offer' })

const inPath = z.object({ id: pathId })

export const publishedOfferOperations = {
  list_offers: {
    summary: 'List the offers of the workspace',
    http: { method: 'GET', path: '/offers', status: 200 },
    access: workspaceMember,
    query: pageQuery.extend({
      product_id: pathId.optional(),
      offer_channel_id: pathId.optional(),
      state: z.enum(offerStates).optional(),
      idempotency_key: text(1, 64)
        .refine(key => !key.includes('\0'), 'must not contain U+0000')
        .optional()
        .describe('The key that the offer was created with.'),
    }),
    output: page(offerSummary).describe(
      'A page may be shorter than `limit` without being the last: continue until `next_cursor` is null.',
    ),
    errors: [],
    safe: true,
  },
  get_offer: {
    summary: 'Read an offer: requested terms, resolved terms and state',
    http: { method: 'GET', path: '/offers/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    output: offer,
    errors: ['NotFound'],
    safe: true,
  },
  revoke_offer: {
    summary: 'Revoke an offer; revoking it again changes nothing',
    http: { method: 'POST', path: '/offers/{id}/revoke', status: 200 },
    access: workspaceMember,
    params: inPath,
    output: offer,
    errors: ['NotFound'],
    safe: true,
  },
} as const satisfies Record<string, Operation>
