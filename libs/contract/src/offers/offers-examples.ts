/** A script of Acme makes offers, in each of the three variants. */
import { entryOf, envelopeError, refusal } from '../core/errors.ts'
import { isRefused, succeeds } from '../openapi/example.ts'
import { freeTerms } from './orders-example-bodies.ts'
import {
  absent,
  at,
  channel,
  channelOffer,
  deployToken,
  grace,
  plainOffer,
  product,
  version1,
  versionOffer,
  webOffer,
} from '../openapi/example-names.ts'

const forGrace = {
  product_id: product,
  allowed_emails: [grace.email],
  field_values: { region: { value: 'eu', locked: true } },
  customer: { display_name: 'Globex', external_id: 'crm-4711' },
  notes: 'Welcome, Grace.',
  internal_note: 'Met at the fair.',
}
const asked = { headers: { 'idempotency-key': 'crm-4711' }, body: forGrace }
const price = { currency: 'eur', unit_amount: 9900, interval: 'month' } as const

const creations = [
  succeeds('offers', 'create_offer', {
    name: 'product_backed',
    summary: 'For a product and one customer, with an idempotency key',
    by: 'script',
    request: asked,
    answer: { body: webOffer },
  }),
  succeeds('offers', 'create_offer', {
    name: 'replayed',
    summary: 'The same request again: the original offer',
    by: 'script',
    request: asked,
    answer: { headers: { 'Idempotent-Replayed': 'true' }, body: webOffer },
  }),
  isRefused('offers', 'create_offer', {
    summary: 'The same key for a different offer',
    by: 'script',
    request: { ...asked, body: { ...forGrace, notes: 'Welcome back, Grace.' } },
    refusal: refusal('key_reused', { path: ['Idempotency-Key'] }),
  }),
  succeeds('offers', 'create_offer', {
    name: 'version_backed',
    summary: 'For a package version, with unlimited uses',
    by: 'script',
    request: { body: { package_version_id: version1, max_uses: null } },
    answer: { body: versionOffer },
  }),
  succeeds('offers', 'create_offer', {
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
  }),
  succeeds('offers', 'create_offer', {
    name: 'channel_defaults',
    summary: 'Through a channel, at the price and in the mode of its policy',
    by: 'script',
    request: { body: { product_id: product, offer_channel_id: channel } },
    answer: { body: plainOffer },
  }),
  isRefused('offers', 'create_offer', {
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
  }),
  isRefused('offers', 'create_offer', {
    summary: 'A value that the input schema does not allow',
    by: 'script',
    request: { body: { product_id: product, field_values: { region: { value: 'mars', locked: false } } } },
    refusal: envelopeError('Unprocessable', [
      entryOf('invalid_field_value', {
        path: ['field_values', 'region', 'value'],
        message: 'field_values.region: must be one of: eu, us.',
      }),
    ]),
  }),
  isRefused('offers', 'create_offer', {
    summary: 'An unknown property',
    by: 'script',
    request: { body: { product_id: product, max_users: 5 } },
    refusal: refusal('invalid_body', {
      path: ['max_users'],
      message: 'max_users is not accepted here: did you mean max_uses?',
    }),
  }),
]

const summary = {
  ...webOffer,
  state: 'active',
  product_id: product,
  package_version_id: version1,
  offer_channel_id: null,
  policy_number: null,
  customer: forGrace.customer,
  internal_note: forGrace.internal_note,
  seats: { max_uses: 1, redeemed: 0, reserved: 0, available: 1 },
  expires_at: null,
  revoked_at: null,
  created_at: at(2000),
} as const
const details = {
  allowed_emails: forGrace.allowed_emails,
  field_values: forGrace.field_values,
  commercial_mode: null,
  pricing_request: null,
  notes: forGrace.notes,
  order_ttl_minutes: 120,
  tier: null,
  allow_api_tokens: false,
  terms: freeTerms,
  created_by: { kind: 'api_token', id: deployToken.id, user: null },
} as const

const readings = [
  succeeds('offers', 'list_offers', {
    summary: 'The offer created with a key',
    by: 'script',
    request: { query: { idempotency_key: 'crm-4711', state: 'active' } },
    answer: { body: { data: [summary], next_cursor: null } },
  }),
  succeeds('offers', 'get_offer', {
    summary: 'An unused offer',
    by: 'script',
    request: { params: { id: webOffer.id } },
    answer: { body: { ...summary, ...details, warnings: [] } },
  }),
  isRefused('offers', 'get_offer', {
    summary: 'Id of another workspace',
    by: 'script',
    request: { params: { id: absent('offer') } },
    refusal: refusal('not_found'),
  }),
  succeeds('offers', 'revoke_offer', {
    summary: 'The offer is revoked',
    by: 'script',
    request: { params: { id: versionOffer.id } },
    answer: {
      body: {
        ...summary,
        ...details,
        ...versionOffer,
        state: 'revoked',
        product_id: null,
        customer: null,
        internal_note: null,
        notes: null,
        allowed_emails: [],
        field_values: {},
        seats: { max_uses: null, redeemed: 0, reserved: 0, available: null },
        revoked_at: at(2600),
        warnings: [],
      },
    },
  }),
]

export const offers = [...creations, ...readings]
