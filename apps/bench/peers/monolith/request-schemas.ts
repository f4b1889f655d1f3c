/** The inputs as JSON Schema: fastify compiles each once, at start. */
import { emailPattern, endOfTime } from '../shared/offers/offer-input.ts'

const text = (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength })
const integer = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum })

/** The three variants in one object: which may stand beside which is said below. */
export const offerBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    product_id: text(1, 55),
    package_version_id: text(1, 55),
    offer_channel_id: text(1, 54),
    allowed_emails: {
      type: 'array',
      maxItems: 50,
      default: [],
      items: { type: 'string', maxLength: 254, pattern: emailPattern.source },
    },
    field_values: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['value', 'locked'],
        properties: { value: {}, locked: { type: 'boolean' } },
      },
    },
    customer: {
      type: 'object',
      additionalProperties: false,
      required: ['display_name'],
      properties: { display_name: text(1, 200), external_id: text(1, 200) },
    },
    internal_note: text(0, 500),
    commercial_mode: { enum: ['paid', 'non_billable_test'] },
    pricing_request: {
      type: 'object',
      additionalProperties: false,
      required: ['currency', 'unit_amount', 'interval'],
      properties: {
        currency: { enum: ['eur', 'usd'] },
        unit_amount: integer(0, 100_000_000),
        interval: { enum: ['month', 'year'] },
      },
    },
    notes: text(0, 500),
    expires_at: integer(1, endOfTime),
    max_uses: { ...integer(1, 10_000), nullable: true, default: 1 },
    order_ttl_minutes: { ...integer(1, 1440), default: 120 },
    tier: text(0, 32),
  },
  anyOf: [{ required: ['product_id'] }, { required: ['package_version_id'] }],
  dependencies: {
    offer_channel_id: { required: ['product_id'], not: { required: ['tier'] } },
  },
}

export const createHeaders = {
  type: 'object',
  properties: { 'idempotency-key': text(1, 64) },
}

export const pageQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'string', pattern: '^(?:[1-9][0-9]?|100)$', default: '25' },
    cursor: { type: 'string', maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' },
  },
}

export const settingsBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { auto_scaling_enabled: { type: 'boolean' }, max_machines: integer(1, 1000) },
}

export const settingsParams = {
  type: 'object',
  properties: { id: { type: 'string', pattern: '^[0-9A-Za-z_-]{1,100}$' } },
}
