import { endpoint, fields, inPath } from '../webhooks-example-bodies.ts'
import { endpoint as endpointSchema, fields as fieldsSchema, inPath as inPathSchema } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { change } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Change the URL, event types or description of a webhook endpoint',
  http: { method: 'PATCH', path: '/webhook_endpoints/{id}', status: 200 },
  access: workspaceAdmin,
  permission: 'webhooks:write',
  params: inPathSchema,
  body: change({
    url: fieldsSchema.url.optional(),
    event_types: fieldsSchema.event_types.optional(),
    description: fieldsSchema.description.optional(),
  }),
  output: endpointSchema,
  errors: ['NotFound', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'webhooks update',
    options: {
      event_types: {
        name: 'type',
        help: 'A type of events, or all of one noun as orders.*; may be repeated.',
      },
    },
    examples: ["webhooks update whe_01h455vb4pex5vsknk084sn02q --type 'orders.*'"],
  },
  page: '/webhooks/:id/edit',
  group: 'Webhook endpoints',
  description:
    'What waits for the endpoint is sent to the new URL. New event types apply from now on; what happened within the hour before may be sent as well.',
  codes: ['url_refused', 'unknown_reference'],
  examples: [
    {
      step: 1280,
      summary: 'Another description',
      by: 'owner',
      request: { ...inPath, body: { description: fields.description } },
      answer: { body: endpoint },
    },
  ],
})
