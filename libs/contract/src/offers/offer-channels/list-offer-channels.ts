import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery, pathId } from '../../core/text.ts'
import { theChannel } from '../catalogue-example-bodies.ts'
import { offerChannel } from '../offer-channels.ts'
import { product } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the offer channels of the workspace, or of one product',
  http: { method: 'GET', path: '/offer_channels', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  query: pageQuery.extend({ product_id: pathId.optional() }),
  output: page(offerChannel),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'channels list',
  page: '/catalogue',
  group: 'Offer channels',
  description: 'Newest first.',
  examples: [
    {
      step: 570,
      summary: 'The channels of a product',
      by: 'script',
      request: { query: { product_id: product } },
      answer: { body: { data: [theChannel], next_cursor: null } },
    },
  ],
})
