import { webhookMessage } from '../activity/webhooks.ts'
import type { Schemas } from './schemas.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

export const webhooks = (schemas: Schemas) => ({
  event: {
    post: {
      operationId: 'webhooks.event',
      summary: 'An event of the workspace',
      description:
        'Sent to each webhook endpoint that wants events of this type, at least once, and those of one aggregate in their order. The guide “Webhooks” says how to check the signature, and when an event is sent again.',
      tags: ['Webhook endpoints'],
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event, the same at each attempt.'),
        header('webhook-timestamp', 'When this attempt was made, in Unix seconds.'),
        header('webhook-signature', 'Signatures as Standard Webhooks has them, `v1,…`, separated by spaces.'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.of(webhookMessage, 'output') } },
      },
      responses: {
        '200': { description: 'Accepted, as any other status from 200 to 299.', headers: {} },
        '410': { description: 'Nothing is sent any more: the endpoint is disabled.', headers: {} },
      },
    },
  },
})
