import { inPath, rotated } from '../webhooks-example-bodies.ts'
import { endpoint, inPath as inPathSchema } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Stop sending to a webhook endpoint until it is resumed',
  http: { method: 'POST', path: '/webhook_endpoints/{id}/pause', status: 200 },
  access: workspaceAdmin,
  permission: 'webhooks:write',
  params: inPathSchema,
  output: endpoint,
  errors: ['NotFound'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'webhooks pause',
  page: '/webhooks/:id/pause',
  group: 'Webhook endpoints',
  description: 'Events wait until it is resumed. What is being sent at this moment still arrives.',
  examples: [
    {
      step: 1300,
      summary: 'Pause',
      by: 'owner',
      request: inPath,
      answer: { body: { ...rotated, state: 'paused' } },
    },
  ],
})
