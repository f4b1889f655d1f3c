import { workspaceMember } from '../../core/access.ts'
import { kind, type MatchKind, matches, maxWords } from '../../core/matches.ts'
import type { Operation } from '../../core/operation.ts'
import { nameText } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import { operation as listWebhookEndpoints } from '../../activity/webhook-endpoints/list-webhook-endpoints.ts'
import { operation as listClusters } from '../../compute/clusters/list-clusters.ts'
import { operation as listInstalls } from '../../offers/installs/list-installs.ts'
import { operation as listOffers } from '../../offers/offers/list-offers.ts'
import { operation as listOrders } from '../../offers/orders/list-orders.ts'
import { operation as listPackages } from '../../offers/packages/list-packages.ts'
import { operation as listProducts } from '../../offers/products/list-products.ts'
import { operation as listApiTokens } from '../api-tokens/list-api-tokens.ts'
import { operation as listMembers } from '../workspaces/list-members.ts'
import * as z from 'zod'

const lists: Record<MatchKind, Operation> = {
  product: listProducts,
  package: listPackages,
  offer: listOffers,
  order: listOrders,
  install: listInstalls,
  cluster: listClusters,
  api_token: listApiTokens,
  member: listMembers,
  webhook_endpoint: listWebhookEndpoints,
}

export const operation = {
  summary: 'Search the workspace',
  http: { method: 'GET', path: '/search', status: 200 },
  access: workspaceMember,
  permission: 'workspace:read',
  searches: lists,
  query: z.strictObject({
    q: nameText(100).describe(`Beginnings of words; ${maxWords} count.`),
  }),
  output: matches
    .extend({
      unsearched: z.array(kind).describe('Cannot be searched now.'),
    })
    .meta({ id: 'SearchResults' }),
  errors: [],
  safe: true,
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'search', own: true },
  page: '/search',
  group: 'Workspaces',
  description: 'Also finds offers by customer and notes, orders by customer, address and reference.',
  examples: [
    {
      step: 45,
      summary: 'Nothing is found',
      by: 'owner',
      request: { query: { q: 'novak' } },
      answer: { body: { data: [], more: [], unsearched: [] } },
    },
  ],
})
