import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { listQuery, page, pathId, searchText } from '../../core/text.ts'
import { listed } from '../orders-example-bodies.ts'
import { listedOrder, orderStates } from '../orders.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'List the orders that the workspace placed or received',
  http: { method: 'GET', path: '/orders', status: 200 },
  access: workspaceMember,
  permission: 'orders:read',
  query: listQuery.extend({
    relation: z
      .enum(['placed', 'received'])
      .default('placed')
      .describe('Which side of the order the workspace is on.'),
    offer_id: pathId.optional(),
    product_id: pathId.optional(),
    customer_id: pathId.optional().describe('Only those of this customer, a workspace.'),
    state: z.enum(orderStates).optional(),
    text: searchText.describe(
      'Only those that contain this text: in reference, product or email; for received ones also in the offer’s customer and notes.',
    ),
  }),
  output: page(listedOrder, 'in the order asked for').describe(
    'A page may be shorter than `limit` without being the last: continue until `next_cursor` is null.',
  ),
  lines: 'text/csv',
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'orders list',
    options: { relation: { help: 'Placed or received by the workspace.' } },
    examples: ['orders list --relation received --state awaiting_approval'],
    columns: [
      'id',
      'reference',
      'state',
      'offer_id',
      'ordered_by: ordered_by.email || ordered_by.id',
      'expires_at',
    ],
  },
  page: '/orders',
  group: 'Orders',
  description:
    'Newest first. `relation` chooses the side: `placed` by this workspace, or `received` from customers. A page may be shorter than `limit` without being the last. With `Accept: text/csv` the answer is every order that matches, as CSV.',
  examples: [
    {
      step: 830,
      summary: 'The orders placed by the workspace',
      by: 'customer',
      request: { query: { relation: 'placed' } },
      answer: { body: { data: [listed], next_cursor: null } },
    },
  ],
})
