import { workspaceMember } from '../../core/access.ts'
import { entryOf, envelopeError, refusal } from '../../core/errors.ts'
import { idempotencyHeaders } from '../../core/idempotency.ts'
import type { Operation } from '../../core/operation.ts'
import { text } from '../../core/text.ts'
import { offerInput, offerVariant } from '../offer-input.ts'
import { asked, forGrace, price, refusedValue } from '../offers-example-bodies.ts'
import {
  channel,
  channelOffer,
  plainOffer,
  product,
  spare,
  version1,
  versionOffer,
  webOffer,
} from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Create an offer',
  http: { method: 'POST', path: '/offers', status: 201 },
  access: workspaceMember,
  permission: 'offers:write',
  headers: idempotencyHeaders,
  body: offerInput,
  variant: offerVariant,
  output: z
    .object({
      id: text(1, 56).describe('The id of the offer, `offer_…`.'),
      short_hash: z.string().describe('Customers reach the offer at `/i/<short_hash>`.'),
    })
    .meta({ id: 'CreatedOffer' }),
  replyHeaders: ['Idempotent-Replayed'],
  errors: ['Conflict', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'offers create',
    own: true,
    options: {
      offer_channel_id: { name: 'channel' },
      'customer.display_name': { name: 'customer-name' },
      'customer.external_id': { name: 'customer-id' },
      commercial_mode: { name: 'mode', help: 'Paid, or a test without charge.' },
      max_uses: { help: 'Redemptions (default: 1).', none: 'unlimited' },
      allowed_emails: { name: 'allow-email', help: 'Who may use it; may be repeated (default: anyone).' },
      'pricing_request.unit_amount': { name: 'price' },
    },
  },
  page: '/offers/new',
  group: 'Offers',
  description:
    'Creates an offer in one of three variants: of a product (`product_id`), of a package version (`package_version_id` alone), or through an offer channel (`product_id` and `offer_channel_id`). Every variant refuses unknown properties.\n\nThe offer is pinned to one package version: the one sent, otherwise the product’s current one. `field_values` are validated against the input schema of that version. With a channel, its active policy decides the terms: `pricing_request` and `commercial_mode` must be allowed by it, and whatever they leave out is taken from the policy.\n\n**Idempotency.** Send an `Idempotency-Key` and repeat the request as often as necessary: the same key with the same intent returns the original offer, with `Idempotent-Replayed: true`. The order of keys and of `allowed_emails`, and explicit defaults, do not change the intent; price and mode taken from a policy are not part of it. Keys are scoped to the workspace. A refusal (400, 403, 422) frees the key.',
  codes: [
    'key_reused',
    'key_in_flight',
    'reservation_expired',
    'unknown_reference',
    'no_current_version',
    'version_of_other_package',
    'channel_of_other_product',
    'channel_inactive',
    'time_in_past',
    'price_refused',
    'mode_refused',
    'invalid_field_value',
  ],
  examples: [
    {
      step: 600,
      name: 'product_backed',
      summary: 'For a product and one customer, with an idempotency key',
      by: 'script',
      request: asked,
      answer: { body: webOffer },
    },
    {
      step: 610,
      name: 'replayed',
      summary: 'The same request again: the original offer',
      by: 'script',
      request: asked,
      answer: { headers: { 'Idempotent-Replayed': 'true' }, body: webOffer },
    },
    {
      step: 620,
      summary: 'The same key for a different offer',
      by: 'script',
      request: { ...asked, body: { ...forGrace, notes: 'Welcome back, Grace.' } },
      refusal: refusal('key_reused', { path: ['Idempotency-Key'] }),
    },
    {
      step: 630,
      name: 'version_backed',
      summary: 'For a package version, with unlimited uses',
      by: 'script',
      request: { body: { package_version_id: version1, max_uses: null } },
      answer: { body: versionOffer },
    },
    {
      step: 640,
      name: 'channel_backed',
      summary: 'Through a channel, at a price that its policy allows',
      by: 'script',
      request: {
        body: {
          product_id: product,
          offer_channel_id: channel,
          commercial_mode: 'paid',
          pricing_request: price,
          max_uses: 10,
        },
      },
      answer: { body: channelOffer },
    },
    {
      step: 650,
      name: 'channel_defaults',
      summary: 'Through a channel, at the price and in the mode of its policy',
      by: 'script',
      request: { body: { product_id: product, offer_channel_id: channel } },
      answer: { body: plainOffer },
    },
    {
      step: 660,
      summary: 'A price that the policy does not allow',
      by: 'script',
      request: {
        body: {
          product_id: product,
          offer_channel_id: channel,
          pricing_request: { ...price, unit_amount: 100 },
        },
      },
      refusal: envelopeError('Unprocessable', [
        entryOf('price_refused', {
          path: ['pricing_request', 'unit_amount'],
          message: "The offer channel's policy requires unit_amount to be from 1000 to 50000.",
          metadata: { min: '1000', max: '50000' },
        }),
      ]),
    },
    {
      step: 670,
      summary: 'A value that the input schema does not allow',
      by: 'script',
      ...refusedValue,
    },
    {
      step: 680,
      summary: 'An unknown property',
      by: 'script',
      request: { body: { product_id: product, max_users: 5 } },
      refusal: refusal('invalid_body', {
        path: ['max_users'],
        message: 'max_users is not accepted here: did you mean max_uses?',
      }),
    },
    {
      step: 1460,
      summary: 'The product has no current version',
      by: 'script',
      request: { body: { product_id: spare('prod') } },
      refusal: refusal('no_current_version', {
        path: ['product_id'],
        message: 'The product has no current package version. Set one, or send package_version_id.',
      }),
    },
  ],
})
