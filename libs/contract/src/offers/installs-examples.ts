/** What came of it, for both sides; and Stripe event, which takes no part in it. */
import { refusal } from '../core/errors.ts'
import { isRefused, succeeds } from '../openapi/example.ts'
import {
  absent,
  acme,
  at,
  customerCluster,
  globex,
  install,
  installCredential,
  product,
  stripeSignature,
  version1,
  webOffer,
  webOrder,
} from '../openapi/example-names.ts'
import { values } from './orders-example-bodies.ts'

export const theInstall = {
  id: install,
  state: 'started',
  workspace_id: globex,
  seller_workspace_id: acme,
  offer_id: webOffer.id,
  order_id: webOrder,
  product_id: product,
  package_version_id: version1,
  version: '1.0.0',
  cluster_id: customerCluster,
  field_values: values,
  created_at: at(3120),
  removed_at: null,
} as const

export const installs = [
  succeeds('offers', 'list_installs', {
    summary: 'The installs sold through an offer',
    by: 'script',
    request: { query: { relation: 'sold', offer_id: webOffer.id } },
    answer: { body: { data: [theInstall], next_cursor: null } },
  }),
  succeeds('offers', 'get_install', {
    summary: 'As seen by its owner',
    by: 'customer',
    request: { params: { id: install } },
    answer: { body: theInstall },
  }),
  isRefused('offers', 'get_install', {
    summary: 'Id of another workspace',
    by: 'customer',
    request: { params: { id: absent('inst') } },
    refusal: refusal('not_found'),
  }),
  succeeds('offers', 'create_install_credential', {
    summary: 'A credential for the installed program',
    by: 'customer',
    request: { params: { id: install } },
    answer: { body: { credential: installCredential } },
  }),
  succeeds('offers', 'read_install_values', {
    summary: 'The program reads its values',
    by: 'nobody',
    request: { params: { id: install }, headers: { 'svc-install-credential': installCredential } },
    answer: { body: { field_values: values } },
  }),
  isRefused('offers', 'read_install_values', {
    summary: 'Credential of another install',
    by: 'nobody',
    request: { params: { id: install }, headers: { 'svc-install-credential': 'guessed' } },
    refusal: refusal('credential_invalid'),
  }),
  succeeds('offers', 'receive_stripe_event', {
    summary: 'An event that concerns no order',
    by: 'nobody',
    request: {
      headers: { 'stripe-signature': stripeSignature },
      body: { id: 'evt_1RkExample', object: 'event', type: 'customer.created', data: { object: {} } },
    },
    answer: { body: { received: true } },
  }),
]
