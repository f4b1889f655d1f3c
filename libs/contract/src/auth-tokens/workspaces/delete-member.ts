import { memberInPath } from '../people.ts'
import { personOfPath } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { acme, ada, kim } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Remove a member, or leave',
  http: { method: 'DELETE', path: '/workspaces/{id}/members/{user_id}', status: 204 },
  access: personOfPath,
  permission: 'members:write',
  params: memberInPath,
  errors: ['NotFound', 'Conflict'],
  stepUp: 'if it removes an owner',
  event: 'members.removed',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'members remove',
    help: 'Remove a member; what they may do in the workspace ends at once.',
    ids: { user_id: 'user_…' },
  },
  page: '/members/:user_id/remove',
  group: 'Workspaces',
  description:
    'An owner or admin can remove others; anyone can leave. The person loses access as soon as this call returns. The last owner cannot leave.',
  codes: ['role_too_low', 'last_owner'],
  examples: [
    {
      step: 220,
      summary: 'A member is removed',
      by: 'owner',
      request: { params: { id: acme, user_id: kim.id } },
      answer: {},
    },
    {
      step: 230,
      summary: 'The last owner tries to leave',
      by: 'owner',
      request: { params: { id: acme, user_id: ada.id } },
      refusal: refusal('last_owner', {
        path: ['user_id'],
        message: 'This is the last owner of the workspace. Make another member an owner first.',
      }),
    },
  ],
})
