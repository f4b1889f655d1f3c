import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import { ofChannel, thePolicy } from '../catalogue-example-bodies.ts'
import { inPath, numberedPolicy } from '../offer-channels.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the policies of an offer channel',
  http: { method: 'GET', path: '/offer_channels/{id}/policies', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  params: inPath,
  query: pageQuery,
  output: page(numberedPolicy),
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'channels policies list',
    columns: [
      'number',
      'active',
      'approval: policy.approval',
      'checkout: policy.checkout',
      'pricing: policy.pricing.kind',
      'created_at',
    ],
  },
  page: '/catalogue/channels/:id',
  group: 'Offer channels',
  description: 'Newest first.',
  examples: [
    {
      step: 520,
      summary: 'List',
      by: 'script',
      request: ofChannel,
      answer: { body: { data: [thePolicy], next_cursor: null } },
    },
  ],
})
