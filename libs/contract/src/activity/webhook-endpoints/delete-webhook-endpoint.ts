import { inPath } from '../webhooks-example-bodies.ts'
import { inPath as inPathSchema } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Delete a webhook endpoint with its deliveries',
  http: { method: 'DELETE', path: '/webhook_endpoints/{id}', status: 204 },
  access: workspaceAdmin,
  permission: 'webhooks:write',
  params: inPathSchema,
  errors: ['NotFound'],
  event: 'webhook_endpoints.deleted',
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'webhooks delete',
  page: '/webhooks/:id/delete',
  group: 'Webhook endpoints',
  description: 'What waited for it is not sent any more.',
  examples: [
    {
      step: 1350,
      summary: 'Delete',
      by: 'owner',
      request: inPath,
      answer: {},
    },
  ],
})
