import { supportEmail, supportEmailDescription, workspace, workspaceInPath } from '../people.ts'
import { own } from '../workspaces-example-bodies.ts'
import { adminOfPath } from '../../core/access.ts'
import { workspaceName } from '../../core/display-name.ts'
import type { Operation } from '../../core/operation.ts'
import { acme } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Change a workspace: its name, what customers see, what members have to prove',
  http: { method: 'PATCH', path: '/workspaces/{id}', status: 200 },
  access: adminOfPath,
  permission: 'workspace:write',
  params: workspaceInPath,
  body: z.strictObject({
    name: workspaceName
      .optional()
      .describe('Others read it in mail: no web addresses, nothing invisible. Omitted: it stays.'),
    support_email: supportEmail.optional().describe(`${supportEmailDescription} Omitted: it stays.`),
    require_second_factor: z
      .boolean()
      .optional()
      .describe(
        'Whether members need a session with a second factor; for owners who have one. Omitted: it stays.',
      ),
  }),
  output: workspace,
  errors: [],
  event: 'workspaces.updated',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'workspace update',
    options: {
      support_email: { help: 'Where customers can write to.' },
      require_second_factor: { help: 'Refuse members whose session has no second factor.' },
    },
    examples: ['workspace update --support-email help@example.com', 'workspace update --no-support-email'],
  },
  page: '/settings',
  group: 'Workspaces',
  description:
    'For owners and admins. Members whose session has no second factor are refused with 40309 as soon as `require_second_factor` returns. Customers see name and address: everybody who opens the link of an offer that is open to any customer, and those for whom another offer is. It may take a minute until all of them do.',
  examples: [
    {
      step: 30,
      summary: 'An address for customers',
      by: 'owner',
      request: { params: { id: acme }, body: { support_email: 'help@acme.example' } },
      answer: { body: { ...own, support_email: 'help@acme.example' } },
    },
  ],
})
