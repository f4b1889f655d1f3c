import { endpoint } from '../webhooks-example-bodies.ts'
import { endpoint as endpointSchema } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the webhook endpoints of the workspace',
  http: { method: 'GET', path: '/webhook_endpoints', status: 200 },
  access: workspaceAdmin,
  permission: 'webhooks:read',
  query: pageQuery,
  output: page(endpointSchema),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'webhooks list', columns: ['id', 'url', 'state', 'failing_since', 'event_types'] },
  page: '/webhooks',
  group: 'Webhook endpoints',
  description: 'Newest first.',
  examples: [
    {
      step: 1250,
      summary: 'List',
      by: 'owner',
      request: {},
      answer: { body: { data: [endpoint], next_cursor: null } },
    },
  ],
})
