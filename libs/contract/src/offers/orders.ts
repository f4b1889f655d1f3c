/** The customer's side of offers, and the seller's decisions. */
import * as z from 'zod'
import { anybody, customer, workspaceMember } from '../core/access.ts'
import { productBacked } from './offer-input.ts'
import type { Operation } from '../core/operation.ts'
import { offerStates, offerTerms, termsBeforeOrder } from './published-offers.ts'
import {
  anyText,
  createdAt,
  idOf,
  linesText,
  page,
  pageQuery,
  pathId,
  unixSeconds,
  wireId,
} from '../core/text.ts'

export const orderStates = [
  'open',
  'awaiting_approval',
  'awaiting_checkout',
  'completed',
  'expired',
  'rejected',
  'cancelled',
] as const
export type OrderState = (typeof orderStates)[number]

const named = (noun: string, prefix: string) =>
  z.object({ id: idOf(noun, prefix), name: z.string().describe('Chosen by the seller, for customers.') })

const orderState = z
  .enum(orderStates)
  .describe('The first three are in progress and reserve a seat; `completed` has an install.')
const providers = z.enum(['manual', 'stripe'])
const providerDescription = '`manual`: the seller confirms the payment. `stripe`: Stripe does.'

const lastOrder = 'Unix seconds after which no order is accepted; null: it does not expire.'

/** What may be known of an offer before anybody signs in, if it is open to any customer. */
const offerSummary = z
  .object({
    seller: z
      .object({
        name: z.string().describe('Of the workspace that sells.'),
        support_email: z.string().nullable().describe('Where customers can write to; null: none is given.'),
      })
      .nullable()
      .describe('Null: it cannot be looked up now.'),
    state: z.enum(offerStates).describe('Only an `active` offer takes orders.'),
    seats_left: z
      .int()
      .nullable()
      .describe('Seats that are neither taken nor held by orders in progress; null: there is no limit.'),
    terms: termsBeforeOrder.describe('What an order of this offer is subject to.'),
    expires_at: unixSeconds.nullable().describe(lastOrder),
  })
  .meta({ id: 'OfferSummaryForCustomers' })

/** An offer as an entitled customer sees it, without seller-only data. */
const offered = z
  .object({
    state: z.enum(offerStates).describe('Only an `active` offer takes orders.'),
    seat_available: z
      .boolean()
      .describe('Whether an order would be accepted now; also false while other orders hold the last seats.'),
    product: named('product', 'prod')
      .nullable()
      .describe('What is sold; null: an offer of a package version alone.'),
    package: named('package', 'pkg').describe('What is installed.'),
    package_version: z
      .object({
        id: idOf('package version', 'pkgv'),
        version: z.string().describe('The seller’s name for the version: `1.4.0`.'),
      })
      .describe('The version that is installed; it was fixed when the offer was created.'),
    notes: z.string().nullable().describe('The seller’s note for customers; null: none.'),
    terms: termsBeforeOrder.describe('What an order of this offer is subject to.'),
    input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema 2020-12 of the field values.'),
    field_values: productBacked.shape.field_values
      .unwrap()
      .describe('Initial values; locked ones cannot be overridden.'),
    expires_at: unixSeconds.nullable().describe(lastOrder),
    order_ttl_minutes: z.int().describe('For how many minutes an order reserves its seat.'),
  })
  .meta({ id: 'OfferForCustomers' })

const orderSummary = z
  .object({
    id: idOf('order', 'order'),
    reference: z
      .string()
      .describe('Short, to be named with a payment: unique among the orders of the seller.'),
    name: z.string().describe('Of the product, or of the package of an offer without a product.'),
    state: orderState,
    offer_id: idOf('offer', 'offer'),
    short_hash: z.string().describe('Of the offer: its page is `/i/<short_hash>`.'),
    product_id: z
      .string()
      .nullable()
      .describe('The product, `prod_…`; null: an offer of a package version alone.'),
    package_version_id: idOf('package version that is installed', 'pkgv'),
    seller_workspace_id: idOf('workspace that sells', 'ws'),
    workspace_id: z.string().describe('The workspace that ordered; the install will belong to it.'),
    ordered_by: z
      .object({
        id: z.string().describe('Of the user or the API token.'),
        email: z
          .string()
          .nullable()
          .describe('As verified when the order was placed; null: not verified, or an API token.'),
      })
      .describe('Who placed the order. Only they can submit it.'),
    cluster_id: z
      .string()
      .nullable()
      .describe('The customer’s cluster to install in, `clus_…`; null: none was named.'),
    checkout: z
      .object({
        provider: providers.describe(providerDescription),
        refund: z
          .enum(['due', 'done'])
          .nullable()
          .describe(
            'Of a payment that arrived when no seat was left: `due` or `done`; null: nothing to refund.',
          ),
      })
      .nullable()
      .describe('The payment; null: none was started.'),
    reason: z
      .string()
      .nullable()
      .describe('Why it was rejected or cancelled; null: it was not, or no reason was given.'),
    install_id: z.string().nullable().describe('The install, `inst_…`; null until the order has completed.'),
    expires_at: unixSeconds.describe(
      'Unix seconds, until which it reserves its seat, unless it ends earlier.',
    ),
    created_at: createdAt,
    updated_at: unixSeconds.describe('When its state last changed, in Unix seconds.'),
  })
  .meta({ id: 'OrderSummary' })

const order = orderSummary
  .extend({
    terms: offerTerms.describe('Those of the offer.'),
    field_values: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('As submitted, with the values that the seller locked or pre-filled; null until then.'),
  })
  .meta({ id: 'Order' })

const inPath = z.object({ id: pathId })
const shortHash = z.object({ short_hash: pathId })

/** A step that does not start from the state of the order is refused with 409 and names the state. */
const step = { params: inPath, output: order, errors: ['NotFound', 'Conflict'] } as const

export const orderOperations = {
  resolve_offer: {
    summary: 'Resolve an offer for the person who opens its link',
    http: { method: 'GET', path: '/i/{short_hash}', status: 200 },
    access: anybody,
    params: shortHash,
    output: z.object({
      name: z.string().describe('Of the product, or of the package of an offer without a product.'),
      sign_in_required: z.boolean().describe('Whether signing in could show more.'),
      summary: offerSummary
        .nullable()
        .describe('Null where the offer has an allowlist, unless the caller is entitled.'),
      offer: offered.nullable().describe('Null for callers who are not entitled.'),
    }),
    errors: ['NotFound'],
    safe: true,
  },
  create_order: {
    summary: 'Order from an offer; a repeated request returns the order in progress',
    http: { method: 'POST', path: '/i/{short_hash}/orders', status: 201 },
    access: customer,
    params: shortHash,
    output: order,
    replyHeaders: ['Idempotent-Replayed'],
    errors: ['NotFound', 'Conflict', 'Unprocessable'],
    safe: true,
  },
  list_orders: {
    summary: 'List the orders that the workspace placed or received',
    http: { method: 'GET', path: '/orders', status: 200 },
    access: workspaceMember,
    query: pageQuery.extend({
      relation: z
        .enum(['placed', 'received'])
        .default('placed')
        .describe('Which side of the order the workspace is on.'),
      offer_id: pathId.optional(),
      state: z.enum(orderStates).optional(),
    }),
    output: page(orderSummary).describe(
      'A page may be shorter than `limit` without being the last: continue until `next_cursor` is null.',
    ),
    errors: [],
    safe: true,
  },
  get_order: {
    summary: 'Read an order that the workspace placed or received',
    http: { method: 'GET', path: '/orders/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    output: order,
    errors: ['NotFound'],
    safe: true,
  },
  submit_order: {
    summary: 'Submit an order with its field values',
    http: { method: 'POST', path: '/orders/{id}/submit', status: 200 },
    access: workspaceMember,
    ...step,
    body: z.strictObject({
      field_values: z
        .record(z.string(), z.unknown())
        .default({})
        .describe(
          'By property of the input schema. Values locked by the seller win; values pre-filled by the seller are used for fields that are left out.',
        ),
      cluster_id: wireId('clus').optional().describe('The cluster of the workspace to install in.'),
    }),
    errors: ['NotFound', 'Conflict', 'Unprocessable'],
  },
  cancel_order: {
    summary: 'Cancel an order that the workspace placed or received',
    http: { method: 'POST', path: '/orders/{id}/cancel', status: 200 },
    access: workspaceMember,
    ...step,
  },
  begin_checkout: {
    summary: 'Start the payment of an order; a repeated request returns the payment in progress',
    http: { method: 'POST', path: '/orders/{id}/checkout', status: 200 },
    access: workspaceMember,
    params: inPath,
    output: z.object({
      provider: providers.describe(providerDescription),
      url: z.string().nullable().describe('Where to pay; null: the seller confirms the payment.'),
    }),
    errors: ['NotFound', 'Conflict'],
    safe: true,
  },
  approve_order: {
    summary: 'Approve an order that the workspace received',
    http: { method: 'POST', path: '/orders/{id}/approve', status: 200 },
    access: workspaceMember,
    ...step,
  },
  reject_order: {
    summary: 'Reject an order that the workspace received',
    http: { method: 'POST', path: '/orders/{id}/reject', status: 200 },
    access: workspaceMember,
    ...step,
    body: z
      .strictObject({
        reason: linesText(1, 500).optional().describe('Why, in words for the customer, who reads it.'),
      })
      .default({}),
  },
  confirm_payment: {
    summary: 'Confirm the payment of an order that the workspace received',
    http: { method: 'POST', path: '/orders/{id}/confirm_payment', status: 200 },
    access: workspaceMember,
    ...step,
  },
  receive_stripe_event: {
    summary: 'Take Stripe event (webhook)',
    http: { method: 'POST', path: '/webhooks/stripe', status: 200 },
    access: { credentials: [], anonymous: true, workspace: false, roles: [] },
    headers: z.object({
      'stripe-signature': anyText(1, 2000).describe(
        'Stripe’s signature: `t=<Unix seconds>,v1=<HMAC-SHA-256>`.',
      ),
    }),
    raw: true,
    output: z.object({ received: z.literal(true).describe('Always `true`.') }),
    errors: ['NotFound'],
    safe: true,
  },
} as const satisfies Record<string, Operation>
