/** The resulting installs for both sides; and Stripe's event, which takes no part in the story. */
import { values } from './orders-example-bodies.ts'
import { submitted } from './orders-example-bodies.ts'
import {
  acme,
  at,
  customerCluster,
  globex,
  install,
  product,
  secondInstall,
  version1,
  webOffer,
  webOrder,
} from '../openapi/example-names.ts'

export const theInstructions = [
  'Sign in to the reports of **Globex**, and start the program:',
  '',
  '```sh',
  `reports start --region eu --install ${install}`,
  '```',
].join('\n')

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
  subscription: null,
  created_at: at(3120),
  removed_at: null,
} as const

/** Paid for a month from the confirmation of the payment on. */
export const thePaidInstall = {
  id: secondInstall,
  state: 'started',
  workspace_id: globex,
  seller_workspace_id: acme,
  offer_id: submitted.offer_id,
  order_id: submitted.id,
  product_id: product,
  package_version_id: submitted.package_version_id,
  version: '1.0.0',
  cluster_id: submitted.cluster_id,
  field_values: submitted.field_values,
  subscription: {
    provider: 'manual',
    state: 'active',
    paid_through: at(30 * 86_400),
    grace_until: at(30 * 86_400 + 60),
    cancel_at: null,
    ended_at: null,
    end_reason: null,
    problem: null,
    read_at: null,
  },
  created_at: at(2460),
  removed_at: null,
} as const
