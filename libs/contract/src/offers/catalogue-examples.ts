/** A script of Acme puts Analytics on the shelf, and a channel to sell it through. */
import { entryOf, envelopeError, refusal } from '../core/errors.ts'
import type { ChannelPolicy } from './channel-policy.ts'
import { isRefused, succeeds } from '../openapi/example.ts'
import { absent, analytics, at, channel, product, version1 } from '../openapi/example-names.ts'

export const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', enum: ['eu', 'us'] },
    company: { type: 'string', minLength: 1, maxLength: 100 },
  },
  required: ['region', 'company'],
}

const thePackage = { id: analytics, name: 'Analytics', created_at: at(1000) }
const theVersion = { id: version1, package_id: analytics, version: '1.0.0', created_at: at(1060) }
const ofPackage = { params: { id: analytics } }

const packages = [
  succeeds('offers', 'create_package', {
    summary: 'A package',
    by: 'script',
    request: { body: { name: 'Analytics' } },
    answer: { body: thePackage },
  }),
  succeeds('offers', 'list_packages', {
    summary: 'List',
    by: 'script',
    request: {},
    answer: { body: { data: [thePackage], next_cursor: null } },
  }),
  succeeds('offers', 'get_package', {
    summary: 'Read',
    by: 'script',
    request: ofPackage,
    answer: { body: thePackage },
  }),
  isRefused('offers', 'get_package', {
    summary: 'Id of another workspace',
    by: 'script',
    request: { params: { id: absent('pkg') } },
    refusal: refusal('not_found'),
  }),
  succeeds('offers', 'update_package', {
    summary: 'Rename',
    by: 'script',
    request: { ...ofPackage, body: { name: 'Analytics' } },
    answer: { body: thePackage },
  }),
  succeeds('offers', 'create_package_version', {
    summary: 'A version whose customers enter region and company',
    by: 'script',
    request: { ...ofPackage, body: { version: '1.0.0', input_schema: inputSchema } },
    answer: { body: { ...theVersion, input_schema: inputSchema } },
  }),
  isRefused('offers', 'create_package_version', {
    summary: 'The version exists with a different schema',
    by: 'script',
    request: { ...ofPackage, body: { version: '1.0.0', input_schema: { type: 'object', properties: {} } } },
    refusal: refusal('already_exists', {
      path: ['version'],
      message:
        'This version is already published with a different input schema. Versions are immutable: publish a new one.',
      metadata: { id: version1 },
    }),
  }),
  isRefused('offers', 'create_package_version', {
    summary: 'Not a valid JSON Schema',
    by: 'script',
    request: {
      ...ofPackage,
      body: { version: '1.1.0', input_schema: { properties: { seats: { type: 'int' } } } },
    },
    refusal: envelopeError('Unprocessable', [
      entryOf('invalid_input_schema', {
        path: ['input_schema', 'properties', 'seats', 'type'],
        message:
          'input_schema.properties.seats.type: must be one of: array, boolean, integer, null, number, object, string.',
        metadata: { pointer: '/properties/seats/type' },
      }),
    ]),
  }),
  succeeds('offers', 'list_package_versions', {
    summary: 'List',
    by: 'script',
    request: ofPackage,
    answer: { body: { data: [theVersion], next_cursor: null } },
  }),
  succeeds('offers', 'get_package_version', {
    summary: 'A version with its input schema',
    by: 'script',
    request: { params: { id: version1 } },
    answer: { body: { ...theVersion, input_schema: inputSchema } },
  }),
]

const theProduct = {
  id: product,
  name: 'Acme Analytics',
  package_id: analytics,
  current_package_version_id: version1,
  created_at: at(1200),
}

const products = [
  succeeds('offers', 'create_product', {
    summary: 'A product with its current version',
    by: 'script',
    request: {
      body: { name: 'Acme Analytics', package_id: analytics, current_package_version_id: version1 },
    },
    answer: { body: theProduct },
  }),
  isRefused('offers', 'create_product', {
    summary: 'The package belongs to another workspace',
    by: 'script',
    request: { body: { name: 'Acme Analytics', package_id: absent('pkg') } },
    refusal: refusal('unknown_reference', {
      path: ['package_id'],
      message: 'There is no such package in this workspace.',
    }),
  }),
  succeeds('offers', 'list_products', {
    summary: 'List',
    by: 'script',
    request: {},
    answer: { body: { data: [theProduct], next_cursor: null } },
  }),
  succeeds('offers', 'get_product', {
    summary: 'Read',
    by: 'script',
    request: { params: { id: product } },
    answer: { body: theProduct },
  }),
  succeeds('offers', 'update_product', {
    summary: 'Move the current version',
    by: 'script',
    request: { params: { id: product }, body: { current_package_version_id: version1 } },
    answer: { body: theProduct },
  }),
]

const policy = {
  approval: 'manual',
  checkout: 'required',
  support: 'Mail, within a day',
  payment_instructions: 'Transfer to DE02 1203 0000 0000 2020 51, Acme.\nQuestions: https://acme.example/pay',
  pricing: {
    kind: 'range',
    currencies: ['eur'],
    intervals: ['month'],
    min_unit_amount: 1000,
    max_unit_amount: 50_000,
    default_price: { currency: 'eur', unit_amount: 4900, interval: 'month' },
  },
  allow_non_billable_test: false,
  default_commercial_mode: 'paid',
} as const satisfies ChannelPolicy

const theChannel = {
  id: channel,
  product_id: product,
  name: 'Partners',
  status: 'active',
  active_policy: 1,
  created_at: at(1300),
} as const
const ofChannel = { params: { id: channel } }
const thePolicy = { offer_channel_id: channel, number: 1, active: true, policy, created_at: at(1360) }

const offerChannels = [
  succeeds('offers', 'create_offer_channel', {
    summary: 'A channel without a policy yet',
    by: 'script',
    request: { body: { product_id: product, name: 'Partners' } },
    answer: { body: { ...theChannel, active_policy: null } },
  }),
  succeeds('offers', 'create_channel_policy', {
    summary: 'A policy that applies from now on',
    by: 'script',
    request: { ...ofChannel, body: { policy, activate: true } },
    answer: { body: thePolicy },
  }),
  isRefused('offers', 'create_channel_policy', {
    summary: 'The default price is outside the allowed range',
    by: 'script',
    request: {
      ...ofChannel,
      body: { policy: { ...policy, pricing: { ...policy.pricing, min_unit_amount: 5000 } } },
    },
    refusal: refusal('invalid_body', {
      path: ['policy', 'pricing', 'default_price', 'unit_amount'],
      message: 'policy.pricing.default_price.unit_amount must be from 5000 to 50000.',
      metadata: { min: '5000', max: '50000' },
    }),
  }),
  succeeds('offers', 'list_channel_policies', {
    summary: 'List',
    by: 'script',
    request: ofChannel,
    answer: { body: { data: [thePolicy], next_cursor: null } },
  }),
  succeeds('offers', 'get_channel_policy', {
    summary: 'The first policy',
    by: 'script',
    request: { params: { id: channel, number: '1' } },
    answer: { body: thePolicy },
  }),
  isRefused('offers', 'get_channel_policy', {
    summary: 'The channel has no such policy',
    by: 'script',
    request: { params: { id: channel, number: '7' } },
    refusal: refusal('not_found'),
  }),
  succeeds('offers', 'activate_channel_policy', {
    summary: 'The first policy again',
    by: 'script',
    request: { params: { id: channel, number: '1' } },
    answer: { body: theChannel },
  }),
  isRefused('offers', 'activate_channel_policy', {
    summary: 'The channel has no such policy',
    by: 'script',
    request: { params: { id: channel, number: '7' } },
    refusal: refusal('not_found'),
  }),
  succeeds('offers', 'list_offer_channels', {
    summary: 'The channels of a product',
    by: 'script',
    request: { query: { product_id: product } },
    answer: { body: { data: [theChannel], next_cursor: null } },
  }),
  succeeds('offers', 'get_offer_channel', {
    summary: 'Read',
    by: 'script',
    request: ofChannel,
    answer: { body: theChannel },
  }),
  succeeds('offers', 'update_offer_channel', {
    summary: 'Rename',
    by: 'script',
    request: { ...ofChannel, body: { name: 'Partners' } },
    answer: { body: theChannel },
  }),
]

export const catalogue = [...packages, ...products, ...offerChannels]
