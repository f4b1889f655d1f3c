import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { thePolicy } from '../catalogue-example-bodies.ts'
import { numberInPath, numberedPolicy } from '../offer-channels.ts'
import { channel } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read a policy of an offer channel',
  http: { method: 'GET', path: '/offer_channels/{id}/policies/{number}', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:read',
  params: numberInPath,
  output: numberedPolicy,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'channels policies get',
  page: '/catalogue/channels/:id/policies/:number',
  group: 'Offer channels',
  description: 'Any policy of the channel, by its number.',
  examples: [
    {
      step: 530,
      summary: 'The first policy',
      by: 'script',
      request: { params: { id: channel, number: '1' } },
      answer: { body: thePolicy },
    },
    {
      step: 540,
      summary: 'The channel has no such policy',
      by: 'script',
      request: { params: { id: channel, number: '7' } },
      refusal: refusal('not_found'),
    },
  ],
})
