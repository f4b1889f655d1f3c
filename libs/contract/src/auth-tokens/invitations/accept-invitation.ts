import { invitationInPath, ownInvitation } from '../invitations.ts'
import { asSeen, closed, firstOfKim, ofKim } from '../workspaces-example-bodies.ts'
import { person } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Accept an invitation, and become a member of its workspace',
  http: { method: 'POST', path: '/invitations/{id}/accept', status: 200 },
  access: person,
  params: invitationInPath,
  output: ownInvitation,
  errors: ['NotFound', 'Conflict', 'Unprocessable'],
  safe: true,
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'invitations accept', own: true },
  page: '~/invitations/accept',
  group: 'Invitations',
  description:
    'The person is a member as soon as this call returns. Existing members keep their role. Safe to repeat.',
  codes: ['invitation_closed', 'quota_exceeded'],
  examples: [
    {
      step: 120,
      summary: 'Already declined',
      by: 'invited',
      request: { params: { id: firstOfKim.id } },
      refusal: closed('accepted', 'declined', 'id'),
    },
    {
      step: 140,
      summary: 'Kim becomes a member',
      by: 'invited',
      request: { params: { id: ofKim.id } },
      answer: { body: { ...ofKim, ...asSeen, state: 'accepted' } },
    },
  ],
})
