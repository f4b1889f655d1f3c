import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { done, freeTerms, values } from '../orders-example-bodies.ts'
import { inPath, order } from '../orders.ts'
import { absent, webOrder } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read an order that the workspace placed or received',
  http: { method: 'GET', path: '/orders/{id}', status: 200 },
  access: workspaceMember,
  permission: 'orders:read',
  params: inPath,
  output: order,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'orders get',
  page: '~/orders/:id',
  group: 'Orders',
  description: 'Both sides of an order can read it.',
  examples: [
    {
      step: 840,
      summary: 'As seen by the seller',
      by: 'script',
      request: { params: { id: webOrder } },
      answer: { body: { ...done, terms: freeTerms, field_values: values } },
    },
    {
      step: 850,
      summary: 'Id of another workspace',
      by: 'script',
      request: { params: { id: absent('order') } },
      refusal: refusal('not_found'),
    },
  ],
})
