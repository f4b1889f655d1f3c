import type { Operation } from '../../core/operation.ts'
import { anyText } from '../../core/text.ts'
import { stripeSignature } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Take Stripe event (webhook)',
  http: { method: 'POST', path: '/webhooks/stripe', status: 200 },
  access: { credentials: [], anonymous: true, workspace: false, roles: [] },
  headers: z.object({
    'stripe-signature': anyText(1, 2000).describe(
      'Stripe’s signature: `t=<Unix seconds>,v1=<HMAC-SHA-256>`.',
    ),
  }),
  raw: true,
  output: z.object({ received: z.literal(true).describe('Always `true`.') }),
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { reason: 'Stripe calls it, with its signature.' },
  page: { reason: 'Stripe calls it, with its signature.' },
  group: 'Webhooks',
  description:
    'For Stripe only: authenticated by the signature over the bytes of the body; credentials are ignored. Events that concern no order are accepted and ignored. The route does not exist if payments are not taken by Stripe.',
  codes: ['unknown_route'],
  examples: [
    {
      step: 1070,
      summary: 'An event that concerns no order',
      by: 'nobody',
      request: {
        headers: { 'stripe-signature': stripeSignature },
        body: { id: 'evt_1RkExample', object: 'event', type: 'customer.created', data: { object: {} } },
      },
      answer: { body: { received: true } },
    },
  ],
})
