/** The resulting installs for both sides; and Stripe's event, which takes no part in the story. */
import { values } from './orders-example-bodies.ts'
import {
  acme,
  at,
  customerCluster,
  globex,
  install,
  product,
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
  created_at: at(3120),
  removed_at: null,
} as const
