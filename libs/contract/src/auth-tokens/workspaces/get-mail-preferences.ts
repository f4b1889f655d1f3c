import { mailPreferences, workspaceInPath } from '../mail.ts'
import { inAcme, withoutPlaced } from '../workspaces-example-bodies.ts'
import { personOfPath } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Get which emails you receive about a workspace',
  http: { method: 'GET', path: '/workspaces/{id}/mail_preferences', status: 200 },
  access: personOfPath,
  permission: 'workspace:read',
  params: workspaceInPath,
  output: mailPreferences,
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'mail list', own: true },
  page: '~/mail',
  group: 'Workspaces',
  description:
    'One entry for each kind of email. Emails about the security of an account, such as a sign-in from a new browser, are always sent.',
  examples: [
    {
      step: 190,
      summary: 'Get',
      by: 'owner',
      request: inAcme,
      answer: { body: withoutPlaced },
    },
  ],
})
