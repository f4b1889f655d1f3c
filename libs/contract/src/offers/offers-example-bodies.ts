import { entryOf, envelopeError } from '../core/errors.ts'
import { freeTerms } from './orders-example-bodies.ts'
import { nothingSent } from './published-offers.ts'
import { at, deployToken, etags, grace, product, version1, webOffer } from '../openapi/example-names.ts'

const optionsForGrace = {
  allowed_emails: [grace.email],
  field_values: { region: { value: 'eu', locked: true } },
  customer: { display_name: 'Globex', external_id: 'crm-4711' },
  notes: 'Welcome, Grace.',
  internal_note: 'Met at the fair.',
}
export const forGrace = { product_id: product, ...optionsForGrace }
export const asked = { headers: { 'idempotency-key': 'crm-4711' }, body: forGrace }
/** A value that the input schema does not allow, and the answer. */
export const refusedValue = {
  request: { body: { product_id: product, field_values: { region: { value: 'mars', locked: false } } } },
  refusal: envelopeError('Unprocessable', [
    entryOf('invalid_field_value', {
      path: ['field_values', 'region', 'value'],
      message: 'field_values.region: must be one of: eu, us.',
    }),
  ]),
}
export const price = { currency: 'eur', unit_amount: 9900, interval: 'month' } as const

export const summary = {
  ...webOffer,
  name: 'Acme Analytics',
  state: 'active',
  product_id: product,
  package_version_id: version1,
  offer_channel_id: null,
  policy_number: null,
  customer: forGrace.customer,
  terms: { commercial_mode: 'paid', price: null },
  internal_note: forGrace.internal_note,
  seats: { max_uses: 1, redeemed: 0, reserved: 0, available: 1 },
  expires_at: null,
  revoked_at: null,
  created_at: at(2000),
} as const
export const details = {
  ...nothingSent,
  ...optionsForGrace,
  etag: etags.offer,
  order_ttl_minutes: 120,
  allow_api_tokens: false,
  terms: freeTerms,
  created_by: { kind: 'api_token', id: deployToken.id, user: null },
} as const
