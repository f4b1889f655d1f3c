import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery, pathId } from '../../core/text.ts'
import { done } from '../orders-example-bodies.ts'
import { orderStates, orderSummary } from '../orders.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'List the orders that the workspace placed or received',
  http: { method: 'GET', path: '/orders', status: 200 },
  access: workspaceMember,
  query: pageQuery.extend({
    relation: z
      .enum(['placed', 'received'])
      .default('placed')
      .describe('Which side of the order the workspace is on.'),
    offer_id: pathId.optional(),
    state: z.enum(orderStates).optional(),
  }),
  output: page(orderSummary).describe(
    'A page may be shorter than `limit` without being the last: continue until `next_cursor` is null.',
  ),
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
    'Newest first. `relation` chooses the side: `placed` by this workspace, or `received` from customers. A page may be shorter than `limit` without being the last.',
  examples: [
    {
      step: 830,
      summary: 'The orders placed by the workspace',
      by: 'customer',
      request: { query: { relation: 'placed' } },
      answer: { body: { data: [done], next_cursor: null } },
    },
  ],
})
