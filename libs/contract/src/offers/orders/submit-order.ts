import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { wireId } from '../../core/text.ts'
import { inChannel } from '../orders-decided-example-bodies.ts'
import { done, freeTerms, known, submitted, values } from '../orders-example-bodies.ts'
import { step } from '../orders.ts'
import { customerCluster, rejectedOrder, webOrder } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Submit an order with its field values',
  http: { method: 'POST', path: '/orders/{id}/submit', status: 200 },
  access: workspaceMember,
  permission: 'orders:write',
  ...step,
  body: z.strictObject({
    field_values: z
      .record(z.string(), z.unknown())
      .default({})
      .describe(
        'By property of the input schema. Values locked by the seller win; values pre-filled by the seller are used for fields that are left out.',
      ),
    cluster_id: wireId('clus').optional().describe('The cluster of the workspace to install in.'),
  }),
  errors: ['NotFound', 'Conflict', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'orders submit', own: true },
  page: '~/i/:short_hash',
  group: 'Orders',
  description:
    'Submits the order with its field values; only the person or token that placed it can. Locked values of the offer override those sent; together they must satisfy the input schema of the package version. Approval and checkout follow as the terms require; without either, the install starts at once.',
  codes: ['not_entitled', 'wrong_state', 'unknown_reference', 'invalid_field_value'],
  examples: [
    {
      step: 800,
      summary: 'The input schema requires a company',
      by: 'customer',
      request: { params: { id: webOrder }, body: { field_values: {} } },
      refusal: refusal('invalid_field_value', {
        path: ['field_values', 'company'],
        message: 'field_values.company: is required.',
      }),
    },
    {
      step: 810,
      summary: 'The install starts',
      by: 'customer',
      request: {
        params: { id: webOrder },
        body: { field_values: { company: 'Globex' }, cluster_id: customerCluster },
      },
      answer: { body: { ...done, terms: freeTerms, field_values: values } },
    },
    {
      step: 820,
      summary: 'Already submitted',
      by: 'customer',
      request: { params: { id: webOrder }, body: { field_values: { company: 'Globex' } } },
      refusal: refusal('wrong_state', {
        message: 'The order is completed, so submit is not possible.',
        metadata: { state: 'completed' },
      }),
    },
    {
      step: 880,
      name: 'to_be_approved',
      summary: 'The terms require approval',
      by: 'customer',
      request: { ...inChannel, body: { field_values: values } },
      answer: { body: submitted },
    },
    {
      step: 950,
      summary: 'Grace submits the order',
      by: 'customer',
      aside: true,
      request: { params: { id: rejectedOrder }, body: { field_values: values } },
      answer: { body: { ...submitted, ...known(rejectedOrder) } },
    },
  ],
})
