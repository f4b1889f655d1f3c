import { delivery } from '../webhooks-example-bodies.ts'
import { deliveryDetails, inPath } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { absent, webhook } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read what was sent to a webhook endpoint, and what it answered',
  http: { method: 'GET', path: '/webhook_endpoints/{id}/deliveries/{delivery_id}', status: 200 },
  access: workspaceAdmin,
  permission: 'webhooks:read',
  params: inPath.extend({ delivery_id: pathId }),
  output: deliveryDetails,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'webhooks delivery', ids: { delivery_id: 'evt_…' } },
  page: '/webhooks/:id/deliveries/:delivery_id',
  group: 'Webhook endpoints',
  description: 'The request and the answer are those of the last attempt.',
  examples: [
    {
      step: 1325,
      summary: 'Not sent yet',
      by: 'owner',
      request: { params: { id: webhook.id, delivery_id: webhook.testEvent } },
      answer: { body: { ...delivery, request: null, response: null } },
    },
    {
      step: 1326,
      summary: 'Unknown delivery',
      by: 'owner',
      request: { params: { id: webhook.id, delivery_id: absent('evt') } },
      refusal: refusal('not_found', { path: ['delivery_id'] }),
    },
  ],
})
