import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { linesText } from '../../core/text.ts'
import { wrongState } from '../orders-decided-example-bodies.ts'
import { known, submitted } from '../orders-example-bodies.ts'
import { step } from '../orders.ts'
import { rejectedOrder } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Reject an order that the workspace received',
  http: { method: 'POST', path: '/orders/{id}/reject', status: 200 },
  access: workspaceMember,
  permission: 'orders:decide',
  ...step,
  body: z
    .strictObject({
      reason: linesText(1, 500).optional().describe('Why, in words for the customer, who reads it.'),
    })
    .default({}),
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'orders reject',
    options: { reason: { help: 'Shown to the customer.' } },
    examples: ["orders reject order_01h455vb4pex5vsknk084sn02q --reason 'Sold out.'"],
  },
  page: '/orders/:id/reject',
  group: 'Orders',
  description: 'The seller rejects an order that awaits approval, and its seat is released.',
  codes: ['wrong_state'],
  examples: [
    {
      step: 960,
      summary: 'With a reason for the customer',
      by: 'script',
      request: { params: { id: rejectedOrder }, body: { reason: 'One contract per company.' } },
      answer: {
        body: {
          ...submitted,
          ...known(rejectedOrder),
          state: 'rejected',
          reason: 'One contract per company.',
        },
      },
    },
    {
      step: 970,
      summary: 'Already rejected',
      by: 'script',
      request: { params: { id: rejectedOrder }, body: {} },
      refusal: wrongState('reject', 'rejected'),
    },
  ],
})
