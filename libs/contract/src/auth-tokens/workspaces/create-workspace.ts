import { workspace } from '../people.ts'
import { own } from '../workspaces-example-bodies.ts'
import { person } from '../../core/access.ts'
import { workspaceName } from '../../core/display-name.ts'
import { idempotencyHeaders } from '../../core/idempotency.ts'
import { at, trial } from '../../openapi/example-names.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Create a workspace that you own',
  http: { method: 'POST', path: '/workspaces', status: 201 },
  access: person,
  headers: idempotencyHeaders,
  body: z.strictObject({
    name: workspaceName.describe('Others read it in mail: no web addresses, nothing invisible.'),
  }),
  output: workspace,
  replyHeaders: ['Idempotent-Replayed'],
  errors: ['Conflict', 'RateLimited'],
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'workspace create', own: true },
  page: '~/console/new',
  group: 'Workspaces',
  description:
    'The creator becomes its owner. Others read the name in mail: it must not contain line breaks, invisible characters or web addresses.',
  codes: ['key_reused', 'already_created', 'too_many_attempts'],
  examples: [
    {
      step: 10,
      summary: 'A workspace for a team',
      by: 'owner',
      request: { body: { name: 'Acme' } },
      answer: { body: own },
    },
    {
      step: 1526,
      summary: 'Another one',
      by: 'owner',
      aside: true,
      request: { body: { name: 'Trial' } },
      answer: { body: { ...own, id: trial, name: 'Trial', created_at: at(8100) } },
    },
  ],
})
