import { invitation } from '../invitations.ts'
import { firstOfKim, inAcme, ofLee } from '../workspaces-example-bodies.ts'
import { adminOfPath } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery, pathId } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'List the pending invitations of a workspace',
  http: { method: 'GET', path: '/workspaces/{id}/invitations', status: 200 },
  access: adminOfPath,
  permission: 'members:read',
  params: z.object({ id: pathId }),
  query: pageQuery,
  output: page(invitation),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'members invitations', columns: ['id', 'email', 'role', 'invited_by', 'expires_at'] },
  page: '/members',
  group: 'Invitations',
  description: 'Newest first. People who have accepted are listed as members instead.',
  examples: [
    {
      step: 80,
      summary: 'Pending invitations',
      by: 'owner',
      request: inAcme,
      answer: { body: { data: [ofLee, firstOfKim], next_cursor: null } },
    },
  ],
})
