import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { theChannel } from '../catalogue-example-bodies.ts'
import { numberInPath, offerChannel } from '../offer-channels.ts'
import { channel } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Make a policy the active one of its channel',
  http: { method: 'POST', path: '/offer_channels/{id}/policies/{number}/activate', status: 200 },
  access: workspaceMember,
  permission: 'policies:activate',
  params: numberInPath,
  output: offerChannel,
  errors: ['NotFound'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'channels policies activate',
    help: 'Apply a policy to new offers from now on.',
    examples: ['channels policies activate och_01h455vb4pex5vsknk084sn02q 3'],
  },
  page: '/catalogue/channels/:id/policies/:number/activate',
  group: 'Offer channels',
  description: 'Any policy of the channel, including an earlier one. Repeating the call changes nothing.',
  examples: [
    {
      step: 550,
      summary: 'The first policy again',
      by: 'script',
      request: { params: { id: channel, number: '1' } },
      answer: { body: theChannel },
    },
    {
      step: 560,
      summary: 'The channel has no such policy',
      by: 'script',
      request: { params: { id: channel, number: '7' } },
      refusal: refusal('not_found'),
    },
  ],
})
