import { endpoint, inPath } from '../webhooks-example-bodies.ts'
import { endpoint as endpointSchema, inPath as inPathSchema } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { absent } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read a webhook endpoint',
  http: { method: 'GET', path: '/webhook_endpoints/{id}', status: 200 },
  access: workspaceAdmin,
  permission: 'webhooks:read',
  params: inPathSchema,
  output: endpointSchema,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'webhooks get',
  page: '/webhooks/:id',
  group: 'Webhook endpoints',
  description: 'With its state, and since when it fails.',
  examples: [
    {
      step: 1260,
      summary: 'Read',
      by: 'owner',
      request: inPath,
      answer: { body: endpoint },
    },
    {
      step: 1270,
      summary: 'Id of another workspace',
      by: 'owner',
      request: { params: { id: absent('whe') } },
      refusal: refusal('not_found', { path: ['id'] }),
    },
  ],
})
