import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { inPath } from '../offer-channels.ts'
import { channel, channelOffer, spare } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Delete an offer channel with its policies, unless an offer refers to it',
  http: { method: 'DELETE', path: '/offer_channels/{id}', status: 204 },
  access: workspaceAdmin,
  permission: 'catalogue:write',
  params: inPath,
  errors: ['NotFound', 'Conflict'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'channels delete',
  page: '/catalogue/channels/:id/delete',
  group: 'Offer channels',
  description: 'Its policies are deleted with it. Refused while an offer refers to it; `metadata` names one.',
  codes: ['in_use'],
  examples: [
    {
      step: 1410,
      summary: 'An offer refers to it',
      by: 'owner',
      request: { params: { id: channel } },
      refusal: refusal('in_use', {
        message: `It cannot be deleted: offer ${channelOffer.id} refers to it.`,
        metadata: { offer: channelOffer.id },
      }),
    },
    {
      step: 1480,
      summary: 'A channel without offers',
      by: 'owner',
      request: { params: { id: spare('och') } },
      answer: {},
    },
  ],
})
