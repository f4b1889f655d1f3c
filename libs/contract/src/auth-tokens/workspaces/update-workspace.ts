import { supportEmail, supportEmailDescription, workspace, workspaceInPath } from '../people.ts'
import { own } from '../workspaces-example-bodies.ts'
import { adminOfPath } from '../../core/access.ts'
import { workspaceName } from '../../core/display-name.ts'
import type { Operation } from '../../core/operation.ts'
import { acme } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Change the name of a workspace, or the address that its customers see',
  http: { method: 'PATCH', path: '/workspaces/{id}', status: 200 },
  access: adminOfPath,
  params: workspaceInPath,
  body: z.strictObject({
    name: workspaceName
      .optional()
      .describe('Others read it in mail: no web addresses, nothing invisible. Omitted: it stays.'),
    support_email: supportEmail.optional().describe(`${supportEmailDescription} Omitted: it stays.`),
  }),
  output: workspace,
  errors: [],
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'workspace update',
    options: { support_email: { help: 'Where customers can write to.' } },
    examples: ['workspace update --support-email help@example.com', 'workspace update --no-support-email'],
  },
  page: '/settings',
  group: 'Workspaces',
  description:
    'For owners and admins. Customers see both: everybody who opens the link of an offer that is open to any customer, and those for whom another offer is. It may take a minute until all of them do.',
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
