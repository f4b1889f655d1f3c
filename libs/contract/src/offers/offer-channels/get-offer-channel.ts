import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { ofChannel, theChannel } from '../catalogue-example-bodies.ts'
import { inPath, offerChannel } from '../offer-channels.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read an offer channel',
  http: { method: 'GET', path: '/offer_channels/{id}', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  params: inPath,
  output: offerChannel,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'channels get',
  page: '/catalogue/channels/:id',
  group: 'Offer channels',
  description: 'With the number of its active policy.',
  examples: [
    {
      step: 580,
      summary: 'Read',
      by: 'script',
      request: ofChannel,
      answer: { body: theChannel },
    },
  ],
})
