import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { inChannel, wrongState } from '../orders-decided-example-bodies.ts'
import { approved } from '../orders-example-bodies.ts'
import { step } from '../orders.ts'
import { secondInstall } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Confirm the payment of an order that the workspace received',
  http: { method: 'POST', path: '/orders/{id}/confirm_payment', status: 200 },
  access: workspaceMember,
  permission: 'orders:decide',
  ...step,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'orders confirm-payment',
  page: '/orders/:id/confirm-payment',
  group: 'Orders',
  description:
    'The seller confirms that an order is paid, and the install starts. Only for the checkout `manual`: other checkouts confirm their payments themselves.',
  codes: ['wrong_state', 'paid_elsewhere'],
  examples: [
    {
      step: 920,
      summary: 'The install starts',
      by: 'script',
      request: inChannel,
      answer: { body: { ...approved, state: 'completed', install_id: secondInstall } },
    },
    {
      step: 930,
      summary: 'Already paid',
      by: 'script',
      request: inChannel,
      refusal: wrongState('pay', 'completed'),
    },
  ],
})
