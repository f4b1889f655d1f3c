import { inPath, rotated } from '../webhooks-example-bodies.ts'
import { endpoint, inPath as inPathSchema } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Send to a webhook endpoint again, beginning with what happened meanwhile',
  http: { method: 'POST', path: '/webhook_endpoints/{id}/resume', status: 200 },
  access: workspaceAdmin,
  permission: 'webhooks:write',
  params: inPathSchema,
  output: endpoint,
  errors: ['NotFound'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'webhooks resume',
  page: '/webhooks/:id/resume',
  group: 'Webhook endpoints',
  description: 'Also what the product has disabled. What happened meanwhile is sent, oldest first.',
  examples: [
    {
      step: 1310,
      summary: 'Resume',
      by: 'owner',
      request: inPath,
      answer: { body: rotated },
    },
  ],
})
