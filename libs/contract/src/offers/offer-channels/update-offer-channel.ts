import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { change } from '../../core/text.ts'
import { ofChannel, theChannel } from '../catalogue-example-bodies.ts'
import { inPath, named, offerChannel, status } from '../offer-channels.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Rename, activate or deactivate an offer channel',
  http: { method: 'PATCH', path: '/offer_channels/{id}', status: 200 },
  access: workspaceMember,
  permission: 'catalogue:write',
  params: inPath,
  body: change({ name: named.name.optional(), status: status.optional() }),
  output: offerChannel,
  errors: ['NotFound'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'channels update',
    examples: ['channels update och_01h455vb4pex5vsknk084sn02q --status inactive'],
  },
  page: '/catalogue/channels/:id/edit',
  group: 'Offer channels',
  description:
    'Omitted fields stay the same. No offers can be created through an inactive channel; existing ones stay valid.',
  examples: [
    {
      step: 590,
      summary: 'Rename',
      by: 'script',
      request: { ...ofChannel, body: { name: 'Partners' } },
      answer: { body: theChannel },
    },
  ],
})
