import { workspaceMember } from '../../core/access.ts'
import { idempotencyKey } from '../../core/idempotency.ts'
import type { Operation } from '../../core/operation.ts'
import { listQuery, page, pathId, searchText } from '../../core/text.ts'
import { summary } from '../offers-example-bodies.ts'
import { offerStates, offerSummary } from '../published-offers.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'List the offers of the workspace',
  http: { method: 'GET', path: '/offers', status: 200 },
  access: workspaceMember,
  permission: 'offers:read',
  query: listQuery.extend({
    product_id: pathId.optional(),
    offer_channel_id: pathId.optional(),
    state: z.enum(offerStates).optional(),
    text: searchText.describe('Only those that contain this text: in product, customer, notes, id or link.'),
    idempotency_key: idempotencyKey
      .refine(key => !key.includes('\0'), 'must not contain U+0000')
      .optional()
      .describe('The key that the offer was created with.'),
  }),
  output: page(offerSummary, 'in the order asked for').describe(
    'A page may be shorter than `limit` without being the last: continue until `next_cursor` is null.',
  ),
  lines: 'text/csv',
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'offers list',
    own: true,
    options: { offer_channel_id: { name: 'channel' } },
  },
  page: '/offers',
  group: 'Offers',
  description:
    'Newest first. `idempotency_key` finds the offer of a request whose response was lost. A page may be shorter than `limit` without being the last. With `Accept: text/csv` the answer is every offer that matches, as CSV.',
  examples: [
    {
      step: 690,
      summary: 'The offer created with a key',
      by: 'script',
      request: { query: { idempotency_key: 'crm-4711', state: 'active' } },
      answer: { body: { data: [summary], next_cursor: null } },
    },
  ],
})
