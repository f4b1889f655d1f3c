import { member, memberInPath, role } from '../people.ts'
import { adminOfPath } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { acme, ada, at, kim } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Change the role of a member',
  http: { method: 'PATCH', path: '/workspaces/{id}/members/{user_id}', status: 200 },
  access: adminOfPath,
  permission: 'members:write',
  params: memberInPath,
  body: z.strictObject({ role: role.describe('The new role. Only owners appoint and change owners.') }),
  output: member,
  errors: ['NotFound', 'Conflict'],
  stepUp: 'if the member is or becomes an owner',
  event: 'members.updated',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'members set-role',
    ids: { user_id: 'user_…' },
    positional: ['role'],
    examples: ['members set-role user_01h455vb4pex5vsknk084sn02q admin'],
  },
  page: '/members/:user_id/role',
  group: 'Workspaces',
  description: 'Only an owner can appoint or change an owner. The last owner must stay an owner.',
  codes: ['last_owner'],
  examples: [
    {
      step: 200,
      summary: 'A member becomes admin',
      by: 'owner',
      request: { params: { id: acme, user_id: kim.id }, body: { role: 'admin' } },
      answer: { body: { ...kim, name: null, role: 'admin', created_at: at(200) } },
    },
    {
      step: 210,
      summary: 'The last owner',
      by: 'owner',
      request: { params: { id: acme, user_id: ada.id }, body: { role: 'member' } },
      refusal: refusal('last_owner', {
        path: ['role'],
        message: 'This is the last owner of the workspace. Make another member an owner first.',
      }),
    },
  ],
})
