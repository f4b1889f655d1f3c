import { delivery } from '../webhooks-example-bodies.ts'
import { delivery as deliverySchema, inPath } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { webhook } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Send an event to a webhook endpoint once more',
  http: { method: 'POST', path: '/webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver', status: 200 },
  access: workspaceAdmin,
  permission: 'webhooks:write',
  params: inPath.extend({ delivery_id: pathId }),
  output: deliverySchema,
  errors: ['NotFound'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'webhooks redeliver', ids: { delivery_id: 'evt_…' } },
  page: '/webhooks/:id/redeliver',
  group: 'Webhook endpoints',
  description:
    'One attempt more, at once, with the same id and the current secret, whatever state delivery and endpoint are in.',
  examples: [
    {
      step: 1330,
      summary: 'Once more',
      by: 'owner',
      request: { params: { id: webhook.id, delivery_id: webhook.testEvent } },
      answer: { body: delivery },
    },
  ],
})
