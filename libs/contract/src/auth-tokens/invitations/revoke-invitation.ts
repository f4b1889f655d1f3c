import { closed, ofKim, ofLee } from '../workspaces-example-bodies.ts'
import { adminOfPath } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { acme } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Revoke an invitation',
  http: { method: 'DELETE', path: '/workspaces/{id}/invitations/{invitation_id}', status: 204 },
  access: adminOfPath,
  permission: 'members:write',
  params: z.object({ id: pathId, invitation_id: pathId }),
  errors: ['NotFound', 'Conflict'],
  safe: true,
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'members uninvite', ids: { invitation_id: 'inv_…' }, done: 'Revoked {id}.' },
  page: '/members/invitations/:id/revoke',
  group: 'Invitations',
  description:
    'It can no longer be accepted once this call returns. Safe to repeat. To undo an accepted invitation, remove the member.',
  codes: ['invitation_closed'],
  examples: [
    {
      step: 90,
      summary: 'Sent to the wrong address',
      by: 'owner',
      request: { params: { id: acme, invitation_id: ofLee.id } },
      answer: {},
    },
    {
      step: 160,
      summary: 'Already accepted',
      by: 'owner',
      request: { params: { id: acme, invitation_id: ofKim.id } },
      refusal: closed('revoked', 'accepted', 'invitation_id'),
    },
  ],
})
