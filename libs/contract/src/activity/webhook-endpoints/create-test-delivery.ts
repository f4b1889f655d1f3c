import { delivery, inPath } from '../webhooks-example-bodies.ts'
import { delivery as deliverySchema, inPath as inPathSchema } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Send a test event to a webhook endpoint',
  http: { method: 'POST', path: '/webhook_endpoints/{id}/test', status: 201 },
  access: workspaceAdmin,
  permission: 'webhooks:write',
  params: inPathSchema,
  output: deliverySchema,
  errors: ['NotFound'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'webhooks test',
  page: '/webhooks/:id/test',
  group: 'Webhook endpoints',
  description:
    'Sends an event of the type `webhook_endpoints.test` once, also to an endpoint that is paused or disabled. Its delivery says what became of it.',
  examples: [
    {
      step: 1320,
      summary: 'Is anybody there?',
      by: 'owner',
      request: inPath,
      answer: { body: delivery },
    },
  ],
})
