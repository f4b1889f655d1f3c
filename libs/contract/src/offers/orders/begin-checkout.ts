import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { inChannel, wrongState } from '../orders-decided-example-bodies.ts'
import { inPath, providerDescription, providers } from '../orders.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Start the payment of an order; a repeated request returns the payment in progress',
  http: { method: 'POST', path: '/orders/{id}/checkout', status: 200 },
  access: workspaceMember,
  permission: 'orders:write',
  params: inPath,
  output: z.object({
    provider: providers.describe(providerDescription),
    url: z.string().nullable().describe('Where to pay; null: the seller confirms the payment.'),
  }),
  errors: ['NotFound', 'Conflict'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'orders checkout', own: true },
  page: '~/i/:short_hash',
  group: 'Orders',
  description:
    'Starts the payment of an order that awaits checkout. `url` is where to pay; with `manual` there is none, and the seller confirms the payment. Repeating the call returns the payment in progress.',
  codes: ['wrong_state'],
  examples: [
    {
      step: 890,
      summary: 'Not approved yet',
      by: 'customer',
      request: inChannel,
      refusal: wrongState('checkout', 'awaiting_approval'),
    },
    {
      step: 910,
      summary: 'The seller confirms the payment',
      by: 'customer',
      request: inChannel,
      answer: { body: { provider: 'manual', url: null } },
    },
  ],
})
