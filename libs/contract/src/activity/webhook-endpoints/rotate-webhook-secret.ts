import { inPath, rotated } from '../webhooks-example-bodies.ts'
import { inPath as inPathSchema, maxRotationSeconds, rotationSeconds, withSecret } from '../webhooks.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { webhook } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Give a webhook endpoint a new secret',
  http: { method: 'POST', path: '/webhook_endpoints/{id}/rotate_secret', status: 200 },
  access: workspaceAdmin,
  permission: 'webhooks:write',
  params: inPathSchema,
  body: z
    .strictObject({
      expires_in: z
        .int()
        .min(0)
        .max(maxRotationSeconds)
        .optional()
        .describe(
          `For how many seconds the old secret signs as well; omitted: ${rotationSeconds}, a day. Any earlier one ends at once.`,
        ),
    })
    .optional(),
  output: withSecret,
  errors: ['NotFound'],
  stepUp: true,
  event: 'webhook_endpoints.secret_rotated',
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'webhooks rotate',
    help: 'Create a new secret for a webhook endpoint; it is shown only once.',
    options: {
      expires_in: {
        name: 'grace',
        help: 'How long the old secret signs as well, up to 7d (default: a day).',
      },
    },
    examples: ['webhooks rotate whe_01h455vb4pex5vsknk084sn02q --grace 1h'],
  },
  page: '/webhooks/:id/rotate',
  group: 'Webhook endpoints',
  description:
    'For `expires_in` seconds each request has two signatures, so that receivers can take the new secret one after the other.',
  examples: [
    {
      step: 1290,
      summary: 'Both secrets sign for a day',
      by: 'owner',
      request: { ...inPath, body: { expires_in: 86_400 } },
      answer: { body: { ...rotated, secret: webhook.rotatedSecret } },
    },
  ],
})
