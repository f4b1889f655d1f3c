import { invitationInPath, ownInvitation } from '../invitations.ts'
import { asSeen, closed, firstOfKim, ofKim } from '../workspaces-example-bodies.ts'
import { person } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Decline an invitation',
  http: { method: 'POST', path: '/invitations/{id}/decline', status: 200 },
  access: person,
  params: invitationInPath,
  output: ownInvitation,
  errors: ['NotFound', 'Conflict'],
  safe: true,
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'invitations decline',
  page: '~/invitations/decline',
  group: 'Invitations',
  description:
    'Safe to repeat. The workspace can invite again; no further mail is sent within the same week.',
  codes: ['invitation_closed'],
  examples: [
    {
      step: 110,
      summary: 'Kim declines',
      by: 'invited',
      request: { params: { id: firstOfKim.id } },
      answer: { body: { ...firstOfKim, ...asSeen, state: 'declined' } },
    },
    {
      step: 150,
      summary: 'Already accepted',
      by: 'invited',
      request: { params: { id: ofKim.id } },
      refusal: closed('declined', 'accepted', 'id'),
    },
  ],
})
