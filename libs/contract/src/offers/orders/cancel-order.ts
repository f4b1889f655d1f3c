import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { wrongState } from '../orders-decided-example-bodies.ts'
import { known, partnerOrder } from '../orders-example-bodies.ts'
import { step } from '../orders.ts'
import { cancelledOrder } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Cancel an order that the workspace placed or received',
  http: { method: 'POST', path: '/orders/{id}/cancel', status: 200 },
  access: workspaceMember,
  permission: 'orders:write',
  ...step,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'orders cancel',
  page: '~/orders/:id/cancel',
  group: 'Orders',
  description:
    'Cancels an order in progress, by the workspace that placed it or by the seller’s, and releases its seat. Payments that arrive for a cancelled order are refunded.',
  codes: ['wrong_state'],
  examples: [
    {
      step: 990,
      summary: 'The customer changes their mind',
      by: 'customer',
      request: { params: { id: cancelledOrder } },
      answer: { body: { ...partnerOrder, ...known(cancelledOrder), state: 'cancelled' } },
    },
    {
      step: 1000,
      summary: 'Already cancelled',
      by: 'customer',
      request: { params: { id: cancelledOrder } },
      refusal: wrongState('cancel', 'cancelled'),
    },
  ],
})
