import { endpoint, fields } from '../webhooks-example-bodies.ts'
import { fields as fieldsSchema, withSecret } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import { idempotencyHeaders } from '../../core/idempotency.ts'
import type { Operation } from '../../core/operation.ts'
import { webhook } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Create a webhook endpoint',
  http: { method: 'POST', path: '/webhook_endpoints', status: 201 },
  access: workspaceAdmin,
  permission: 'webhooks:write',
  headers: idempotencyHeaders,
  body: z.strictObject({
    url: fieldsSchema.url,
    event_types: fieldsSchema.event_types,
    description: fieldsSchema.description.optional(),
  }),
  output: withSecret,
  errors: ['Conflict', 'Unprocessable'],
  stepUp: true,
  event: 'webhook_endpoints.created',
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'webhooks create',
    help: 'Create a webhook endpoint; its secret is shown only once.',
    options: {
      event_types: {
        name: 'type',
        help: 'A type of events, or all of one noun as orders.*; may be repeated.',
      },
    },
    examples: [
      "webhooks create --url https://hooks.example.com/svc --type 'orders.*' --type installs.created",
    ],
  },
  page: '/webhooks/new',
  group: 'Webhook endpoints',
  description:
    'What happens from now on is sent there as a POST, signed as Standard Webhooks says. The answer is the only one with the secret, besides those of its rotation. A repetition with the same `Idempotency-Key` is refused: `metadata.id` names the endpoint.',
  codes: ['key_reused', 'already_created', 'url_refused', 'unknown_reference', 'quota_exceeded'],
  examples: [
    {
      step: 1230,
      summary: 'Everything about orders',
      by: 'owner',
      request: { body: fields },
      answer: { body: { ...endpoint, secret: webhook.secret } },
    },
    {
      step: 1240,
      summary: 'Not https',
      by: 'owner',
      request: { body: { ...fields, url: 'http://hooks.acme.example/svc' } },
      refusal: refusal('url_refused', { path: ['url'], message: 'The URL must begin with https://.' }),
    },
  ],
})
