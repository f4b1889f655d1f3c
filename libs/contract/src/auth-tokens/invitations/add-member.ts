import { invitation } from '../invitations.ts'
import { role, workspaceInPath } from '../people.ts'
import { firstOfKim, inAcme, ofKim, ofLee } from '../workspaces-example-bodies.ts'
import { adminOfPath } from '../../core/access.ts'
import { emailAddress } from '../../core/email-address.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { kim, lee } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Invite someone by email address',
  http: { method: 'POST', path: '/workspaces/{id}/members', status: 201 },
  access: adminOfPath,
  permission: 'members:write',
  params: workspaceInPath,
  body: z.strictObject({
    email: emailAddress.describe('The address to invite; it need not have an account yet.'),
    role: role.describe('The role of the person once they accept.'),
  }),
  output: invitation,
  errors: ['Conflict', 'Unprocessable', 'RateLimited'],
  stepUp: 'if it invites an owner',
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'members invite',
    positional: ['email'],
    options: { role: { default: 'member' } },
    examples: ['members invite ada@example.com --role admin'],
  },
  page: '/members/invite',
  group: 'Invitations',
  description:
    'Returns an invitation, whether or not the address has an account. The person becomes a member once they accept. They are notified by email, and find it under `GET /invitations`. It is valid for 7 days, as long as you remain a member whose role permits it. Only an owner can invite an owner.',
  codes: ['already_exists', 'quota_exceeded', 'too_many_attempts'],
  examples: [
    {
      step: 50,
      summary: 'An invitation',
      by: 'owner',
      request: { ...inAcme, body: { email: kim.email, role: 'member' } },
      answer: { body: firstOfKim },
    },
    {
      step: 60,
      name: 'unknown',
      summary: 'An address without an account: the same response',
      by: 'owner',
      request: { ...inAcme, body: { email: lee.email, role: 'admin' } },
      answer: { body: ofLee },
    },
    {
      step: 70,
      summary: 'Already invited',
      by: 'owner',
      request: { ...inAcme, body: { email: kim.email, role: 'member' } },
      refusal: refusal('already_exists', {
        path: ['email'],
        message:
          'This person is already a member or has a pending invitation. Change the role of the member, or revoke the invitation and invite again.',
      }),
    },
    {
      step: 130,
      name: 'anew',
      summary: 'Kim is invited again',
      by: 'owner',
      aside: true,
      request: { ...inAcme, body: { email: kim.email, role: 'member' } },
      answer: { body: ofKim },
    },
  ],
})
