import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { inChannel, wrongState } from '../orders-decided-example-bodies.ts'
import { approved } from '../orders-example-bodies.ts'
import { step } from '../orders.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Approve an order that the workspace received',
  http: { method: 'POST', path: '/orders/{id}/approve', status: 200 },
  access: workspaceMember,
  permission: 'orders:decide',
  ...step,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'orders approve',
  page: '/orders/:id/approve',
  group: 'Orders',
  description:
    'The seller approves an order that awaits approval. Then it awaits payment, or the install starts.',
  codes: ['wrong_state'],
  examples: [
    {
      step: 870,
      summary: 'Not submitted yet',
      by: 'script',
      request: inChannel,
      refusal: wrongState('approve', 'open'),
    },
    {
      step: 900,
      summary: 'The order now awaits payment',
      by: 'script',
      request: inChannel,
      answer: { body: approved },
    },
  ],
})
