import * as z from 'zod'
import { productBacked } from './offer-input.ts'
import {
  listedTerms,
  offerStates,
  offerTerms,
  offer,
  soldName,
  termsBeforeOrder,
} from './published-offers.ts'
import type { IdPrefix } from '../core/id-prefixes.ts'
import { createdAt, idOf, pathId, unixSeconds } from '../core/text.ts'

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

const named = (noun: string, prefix: IdPrefix) =>
  z.object({ id: idOf(noun, prefix), name: z.string().describe('Chosen by the seller, for customers.') })

const orderState = z
  .enum(orderStates)
  .describe('The first three are in progress and reserve a seat; `completed` has an install.')
export const providers = z.enum(['manual', 'stripe'])
export const providerDescription = '`manual`: the seller confirms the payment. `stripe`: Stripe does.'

const lastOrder = 'Unix seconds after which no order is accepted; null: it does not expire.'

/** The public part of an offer that is open to any customer. */
export const offerSummary = z
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

export const offered = z
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

export const orderSummary = z
  .object({
    id: idOf('order', 'order'),
    reference: z
      .string()
      .describe('Short, to be named with a payment: unique among the orders of the seller.'),
    name: soldName,
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

export const order = orderSummary
  .extend({
    terms: offerTerms.describe('Those of the offer.'),
    field_values: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('As submitted, with the values that the seller locked or pre-filled; null until then.'),
  })
  .meta({ id: 'Order' })

export const listedOrder = orderSummary
  .extend({
    terms: listedTerms,
    customer: offer.shape.customer.describe('The snapshot of the offer, for its seller only. Null: none.'),
  })
  .meta({ id: 'ListedOrder' })

export const inPath = z.object({ id: pathId })
export const shortHash = z.object({ short_hash: pathId })

/** A step from another state of the order is refused with 409, which names the state. */
export const step = { params: inPath, output: order, errors: ['NotFound', 'Conflict'] } as const
