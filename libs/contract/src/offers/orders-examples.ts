/** Grace opens the link that she got, orders, and gets her install. */
import { refusal } from '../core/errors.ts'
import { inputSchema } from './catalogue-examples.ts'
import { isRefused, succeeds } from '../openapi/example.ts'
import {
  absent,
  analytics,
  customerCluster,
  product,
  version1,
  versionOffer,
  webOffer,
  webOrder,
} from '../openapi/example-names.ts'
import { done, freeTerms, openTerms, order, values } from './orders-example-bodies.ts'

const byWeb = { params: { short_hash: webOffer.short_hash } }

const summary = {
  seller: { name: 'Acme', support_email: 'help@acme.example' },
  state: 'active',
  seats_left: 1,
  terms: openTerms,
  expires_at: null,
} as const

export const orders = [
  succeeds('offers', 'resolve_offer', {
    name: 'entitled',
    summary: 'For an entitled customer',
    by: 'customer',
    request: byWeb,
    answer: {
      body: {
        name: 'Acme Analytics',
        sign_in_required: false,
        summary,
        offer: {
          state: 'active',
          seat_available: true,
          product: { id: product, name: 'Acme Analytics' },
          package: { id: analytics, name: 'Analytics' },
          package_version: { id: version1, version: '1.0.0' },
          notes: 'Welcome, Grace.',
          terms: openTerms,
          input_schema: inputSchema,
          field_values: { region: { value: 'eu', locked: true } },
          expires_at: null,
          order_ttl_minutes: 120,
        },
      },
    },
  }),
  succeeds('offers', 'resolve_offer', {
    name: 'not_signed_in',
    summary: 'Without signing in, of an offer with an allowlist',
    by: 'nobody',
    request: byWeb,
    answer: { body: { name: 'Acme Analytics', sign_in_required: true, summary: null, offer: null } },
  }),
  isRefused('offers', 'resolve_offer', {
    summary: 'An unknown link',
    by: 'nobody',
    request: { params: { short_hash: '111111111111' } },
    refusal: refusal('not_found'),
  }),
  succeeds('offers', 'create_order', {
    summary: 'A new order',
    by: 'customer',
    request: byWeb,
    answer: { body: order },
  }),
  succeeds('offers', 'create_order', {
    name: 'replayed',
    summary: 'The order already in progress',
    by: 'customer',
    request: byWeb,
    answer: { headers: { 'Idempotent-Replayed': 'true' }, body: order },
  }),
  isRefused('offers', 'create_order', {
    summary: 'The offer is for someone else',
    by: 'owner',
    request: byWeb,
    refusal: refusal('not_entitled'),
  }),
  isRefused('offers', 'create_order', {
    summary: 'The offer was revoked',
    by: 'customer',
    request: { params: { short_hash: versionOffer.short_hash } },
    refusal: refusal('offer_revoked'),
  }),
  isRefused('offers', 'submit_order', {
    summary: 'The input schema requires a company',
    by: 'customer',
    request: { params: { id: webOrder }, body: { field_values: {} } },
    refusal: refusal('invalid_field_value', {
      path: ['field_values', 'company'],
      message: 'field_values.company: is required.',
    }),
  }),
  succeeds('offers', 'submit_order', {
    summary: 'The install starts',
    by: 'customer',
    request: {
      params: { id: webOrder },
      body: { field_values: { company: 'Globex' }, cluster_id: customerCluster },
    },
    answer: { body: { ...done, terms: freeTerms, field_values: values } },
  }),
  isRefused('offers', 'submit_order', {
    summary: 'Already submitted',
    by: 'customer',
    request: { params: { id: webOrder }, body: { field_values: { company: 'Globex' } } },
    refusal: refusal('wrong_state', {
      message: 'The order is completed, so submit is not possible.',
      metadata: { state: 'completed' },
    }),
  }),
  succeeds('offers', 'list_orders', {
    summary: 'The orders placed by the workspace',
    by: 'customer',
    request: { query: { relation: 'placed' } },
    answer: { body: { data: [done], next_cursor: null } },
  }),
  succeeds('offers', 'get_order', {
    summary: 'As seen by the seller',
    by: 'script',
    request: { params: { id: webOrder } },
    answer: { body: { ...done, terms: freeTerms, field_values: values } },
  }),
  isRefused('offers', 'get_order', {
    summary: 'Id of another workspace',
    by: 'script',
    request: { params: { id: absent('order') } },
    refusal: refusal('not_found'),
  }),
]
