import { inPath } from '../webhooks-example-bodies.ts'
import { delivery, inPath as inPathSchema } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'List what was sent to a webhook endpoint, with each attempt',
  http: { method: 'GET', path: '/webhook_endpoints/{id}/deliveries', status: 200 },
  access: workspaceAdmin,
  permission: 'webhooks:read',
  params: inPathSchema,
  query: pageQuery.extend({
    state: z.enum(['pending', 'delivered', 'failed']).optional().describe('Only deliveries in this state.'),
  }),
  output: page(delivery),
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'webhooks deliveries',
    columns: [
      'id',
      'type',
      'aggregate_id',
      'state',
      'created_at',
      'attempts: length(attempts)',
      'last_attempt_at: attempts[-1].at',
      'status: attempts[-1].status',
      'next_attempt_at',
      'error: attempts[-1].error',
    ],
  },
  page: '/webhooks/:id',
  group: 'Webhook endpoints',
  description: 'Newest first, of the last 30 days.',
  examples: [
    {
      step: 1340,
      summary: 'Those that were accepted: none yet',
      by: 'owner',
      request: { ...inPath, query: { state: 'delivered' } },
      answer: { body: { data: [], next_cursor: null } },
    },
  ],
})
