import { customer } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { byChannel } from '../orders-decided-example-bodies.ts'
import { known, order, partnerOrder } from '../orders-example-bodies.ts'
import { order as orderSchema, shortHash } from '../orders.ts'
import { byWeb } from '../web-order-example-bodies.ts'
import { cancelledOrder, rejectedOrder, versionOffer } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Order from an offer; a repeated request returns the order in progress',
  http: { method: 'POST', path: '/i/{short_hash}/orders', status: 201 },
  access: customer,
  permission: 'orders:write',
  params: shortHash,
  output: orderSchema,
  replyHeaders: ['Idempotent-Replayed'],
  errors: ['NotFound', 'Conflict', 'Unprocessable'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'orders create',
    help: 'Order from an offer; again, it shows the order in progress.',
    examples: ['orders create 7Kq2mXc9TzWf'],
  },
  page: '~/i/:short_hash',
  group: 'Orders',
  description:
    'Takes a seat for `order_ttl_minutes`; an order that ends without an install releases it. Seats are exact: never oversold, and never refused while one is left.\n\nA person can have one order per offer in progress, whichever of their workspaces it is for. API tokens of workspaces other than the seller’s can order only if the seller set `allow_api_tokens`.\n\n**Idempotency.** If an order from this offer is already in progress for this workspace, that one is returned, with `Idempotent-Replayed: true`.',
  codes: [
    'credential_kind',
    'not_entitled',
    'offer_revoked',
    'offer_expired',
    'offer_exhausted',
    'no_seat',
    'order_under_way',
    'quota_exceeded',
  ],
  examples: [
    {
      step: 760,
      summary: 'A new order',
      by: 'customer',
      request: byWeb,
      answer: { body: order },
    },
    {
      step: 770,
      name: 'replayed',
      summary: 'The order already in progress',
      by: 'customer',
      request: byWeb,
      answer: { headers: { 'Idempotent-Replayed': 'true' }, body: order },
    },
    {
      step: 780,
      summary: 'The offer is for someone else',
      by: 'owner',
      request: byWeb,
      refusal: refusal('not_entitled'),
    },
    {
      step: 790,
      summary: 'The offer was revoked',
      by: 'customer',
      request: { params: { short_hash: versionOffer.short_hash } },
      refusal: refusal('offer_revoked'),
    },
    {
      step: 860,
      summary: 'Grace orders through the channel',
      by: 'customer',
      aside: true,
      request: byChannel,
      answer: { body: partnerOrder },
    },
    {
      step: 940,
      summary: 'Grace orders again',
      by: 'customer',
      aside: true,
      request: byChannel,
      answer: { body: { ...partnerOrder, ...known(rejectedOrder) } },
    },
    {
      step: 980,
      summary: 'Grace orders a third time',
      by: 'customer',
      aside: true,
      request: byChannel,
      answer: { body: { ...partnerOrder, ...known(cancelledOrder) } },
    },
  ],
})
