/** Grace orders for Globex; Acme decides. */
import { refusal } from '../errors.ts'
import { isRefused, succeeds } from './example.ts'
import {
  absent,
  acme,
  analytics,
  at,
  cancelledOrder,
  channelOffer,
  channelOrder,
  customerCluster,
  globex,
  grace,
  install,
  product,
  rejectedOrder,
  stripeSignature,
  version1,
  versionOffer,
  webOffer,
  webOrder,
} from './names.ts'

const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', enum: ['eu', 'us'] },
    company: { type: 'string', minLength: 1, maxLength: 100 },
  },
  required: ['region', 'company'],
}

const byWeb = { params: { short_hash: webOffer.short_hash } }
const byChannel = { params: { short_hash: channelOffer.short_hash } }

const freeTerms = {
  approval: 'automatic',
  checkout: 'none',
  support: null,
  commercial_mode: 'paid',
  price: null,
} as const
const partnerTerms = {
  approval: 'manual',
  checkout: 'required',
  support: 'Mail, within a day',
  commercial_mode: 'paid',
  price: { currency: 'eur', unit_amount: 9900, interval: 'month' },
} as const

const summary = {
  id: webOrder,
  state: 'open',
  offer_id: webOffer.id,
  short_hash: webOffer.short_hash,
  product_id: product,
  package_version_id: version1,
  seller_workspace_id: acme,
  workspace_id: globex,
  ordered_by: grace,
  cluster_id: null,
  checkout: null,
  reason: null,
  install_id: null,
  expires_at: at(3000 + 7200),
  created_at: at(3000),
  updated_at: at(3000),
} as const
const order = { ...summary, terms: freeTerms, field_values: null } as const
const values = { region: 'eu', company: 'Globex' }
const done = {
  ...summary,
  state: 'completed',
  cluster_id: customerCluster,
  install_id: install,
  updated_at: at(3120),
} as const

const partnerOrder = {
  ...order,
  id: channelOrder,
  offer_id: channelOffer.id,
  short_hash: channelOffer.short_hash,
  terms: partnerTerms,
} as const
const submitted = { ...partnerOrder, state: 'awaiting_approval', field_values: values } as const
const approved = {
  ...submitted,
  state: 'awaiting_checkout',
  checkout: { provider: 'manual', refund: null },
} as const

const firstOrder = [
  succeeds('offers', 'resolve_offer', {
    name: 'entitled',
    summary: 'To the customer whom the offer is for',
    by: 'customer',
    request: byWeb,
    answer: {
      body: {
        name: 'Acme Analytics',
        sign_in_required: false,
        offer: {
          state: 'active',
          seat_available: true,
          product: { id: product, name: 'Acme Analytics' },
          package: { id: analytics, name: 'Analytics' },
          package_version: { id: version1, version: '1.0.0' },
          notes: 'Welcome, Grace.',
          terms: freeTerms,
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
    summary: 'To who has not signed in',
    by: 'nobody',
    request: byWeb,
    answer: { body: { name: 'Acme Analytics', sign_in_required: true, offer: null } },
  }),
  isRefused('offers', 'resolve_offer', {
    summary: 'A link that leads nowhere',
    by: 'nobody',
    request: { params: { short_hash: '111111111111' } },
    refusal: refusal('not_found'),
  }),
  succeeds('offers', 'create_order', {
    summary: 'A seat is taken',
    by: 'customer',
    request: byWeb,
    answer: { body: order },
  }),
  succeeds('offers', 'create_order', {
    name: 'replayed',
    summary: 'The order that is under way',
    by: 'customer',
    request: byWeb,
    answer: { headers: { 'Idempotent-Replayed': 'true' }, body: order },
  }),
  isRefused('offers', 'create_order', {
    summary: 'The offer is for somebody else',
    by: 'owner',
    request: byWeb,
    refusal: refusal('not_entitled'),
  }),
  isRefused('offers', 'create_order', {
    summary: 'The offer is withdrawn',
    by: 'customer',
    request: { params: { short_hash: versionOffer.short_hash } },
    refusal: refusal('offer_revoked'),
  }),
  isRefused('offers', 'submit_order', {
    summary: 'The input schema wants a company',
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
    summary: 'It is submitted already',
    by: 'customer',
    request: { params: { id: webOrder }, body: { field_values: { company: 'Globex' } } },
    refusal: refusal('wrong_state', {
      message: 'The order is completed: submit does not start from this state.',
      metadata: { state: 'completed' },
    }),
  }),
  succeeds('offers', 'list_orders', {
    summary: 'What the workspace has ordered',
    by: 'customer',
    request: { query: { relation: 'placed' } },
    answer: { body: { data: [done], next_cursor: null } },
  }),
  succeeds('offers', 'get_order', {
    summary: 'One, to the seller',
    by: 'script',
    request: { params: { id: webOrder } },
    answer: { body: { ...done, terms: freeTerms, field_values: values } },
  }),
  isRefused('offers', 'get_order', {
    summary: 'None of this workspace',
    by: 'script',
    request: { params: { id: absent('order') } },
    refusal: refusal('not_found'),
  }),
]

const wrongState = (step: string, state: string) =>
  refusal('wrong_state', {
    message: `The order is ${state}: ${step} does not start from this state.`,
    metadata: { state },
  })

const inChannel = { params: { id: channelOrder } }

const decisions = [
  succeeds('offers', 'create_order', {
    summary: 'Grace orders through the channel',
    by: 'customer',
    aside: true,
    request: byChannel,
    answer: { body: partnerOrder },
  }),
  isRefused('offers', 'approve_order', {
    summary: 'It is not submitted yet',
    by: 'script',
    request: inChannel,
    refusal: wrongState('approve', 'open'),
  }),
  succeeds('offers', 'submit_order', {
    name: 'to_be_approved',
    summary: 'The terms want approval',
    by: 'customer',
    request: { ...inChannel, body: { field_values: values } },
    answer: { body: submitted },
  }),
  isRefused('offers', 'begin_checkout', {
    summary: 'It is not approved yet',
    by: 'customer',
    request: inChannel,
    refusal: wrongState('checkout', 'awaiting_approval'),
  }),
  succeeds('offers', 'approve_order', {
    summary: 'It is to be paid now',
    by: 'script',
    request: inChannel,
    answer: { body: approved },
  }),
  succeeds('offers', 'begin_checkout', {
    summary: 'The seller confirms the payment',
    by: 'customer',
    request: inChannel,
    answer: { body: { provider: 'manual', url: null } },
  }),
  succeeds('offers', 'confirm_payment', {
    summary: 'The install starts',
    by: 'script',
    request: inChannel,
    answer: { body: { ...approved, state: 'completed', install_id: install.replace(/1$/, '2') } },
  }),
  isRefused('offers', 'confirm_payment', {
    summary: 'It is paid already',
    by: 'script',
    request: inChannel,
    refusal: wrongState('pay', 'completed'),
  }),
  succeeds('offers', 'create_order', {
    summary: 'Grace orders once more',
    by: 'customer',
    aside: true,
    request: byChannel,
    answer: { body: { ...partnerOrder, id: rejectedOrder } },
  }),
  succeeds('offers', 'submit_order', {
    summary: 'and submits',
    by: 'customer',
    aside: true,
    request: { params: { id: rejectedOrder }, body: { field_values: values } },
    answer: { body: { ...submitted, id: rejectedOrder } },
  }),
  succeeds('offers', 'reject_order', {
    summary: 'With a reason for the customer',
    by: 'script',
    request: { params: { id: rejectedOrder }, body: { reason: 'One contract per company.' } },
    answer: {
      body: { ...submitted, id: rejectedOrder, state: 'rejected', reason: 'One contract per company.' },
    },
  }),
  isRefused('offers', 'reject_order', {
    summary: 'It is rejected already',
    by: 'script',
    request: { params: { id: rejectedOrder }, body: {} },
    refusal: wrongState('reject', 'rejected'),
  }),
  succeeds('offers', 'create_order', {
    summary: 'Grace orders a third time',
    by: 'customer',
    aside: true,
    request: byChannel,
    answer: { body: { ...partnerOrder, id: cancelledOrder } },
  }),
  succeeds('offers', 'cancel_order', {
    summary: 'The customer thinks better of it',
    by: 'customer',
    request: { params: { id: cancelledOrder } },
    answer: { body: { ...partnerOrder, id: cancelledOrder, state: 'cancelled' } },
  }),
  isRefused('offers', 'cancel_order', {
    summary: 'It is cancelled already',
    by: 'customer',
    request: { params: { id: cancelledOrder } },
    refusal: wrongState('cancel', 'cancelled'),
  }),
]

const theInstall = {
  id: install,
  state: 'started',
  workspace_id: globex,
  seller_workspace_id: acme,
  offer_id: webOffer.id,
  order_id: webOrder,
  product_id: product,
  package_version_id: version1,
  cluster_id: customerCluster,
  field_values: values,
  created_at: at(3120),
} as const

const installs = [
  succeeds('offers', 'list_installs', {
    summary: 'What a seller has sold with an offer',
    by: 'script',
    request: { query: { relation: 'sold', offer_id: webOffer.id } },
    answer: { body: { data: [theInstall], next_cursor: null } },
  }),
  succeeds('offers', 'get_install', {
    summary: 'One, to its owner',
    by: 'customer',
    request: { params: { id: install } },
    answer: { body: theInstall },
  }),
  isRefused('offers', 'get_install', {
    summary: 'None of this workspace',
    by: 'customer',
    request: { params: { id: absent('inst') } },
    refusal: refusal('not_found'),
  }),
  succeeds('offers', 'receive_stripe_event', {
    summary: 'A message that concerns no order',
    by: 'nobody',
    request: {
      headers: { 'stripe-signature': stripeSignature },
      body: { id: 'evt_1RkExample', object: 'event', type: 'customer.created', data: { object: {} } },
    },
    answer: { body: { received: true } },
  }),
]

export const orders = [...firstOrder, ...decisions, ...installs]
