import { ciAttempt, ciIssuer } from '../ci-trusts.ts'
import { gitlab, github } from '../ci-trusts-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'List runs of CI jobs that no trust matched',
  http: { method: 'GET', path: '/ci_attempts', status: 200 },
  access: workspaceAdmin,
  permission: 'api_tokens:read',
  output: z.object({
    data: z.array(ciAttempt).describe('Newest first; at most 20, of the last 7 days.'),
    issuers: z.array(ciIssuer).describe('Whose runs can be trusted.'),
  }),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'ci-trusts attempts', columns: ['id', 'issuer', 'attempted_at', 'claims'] },
  page: '/tokens/ci',
  group: 'CI trusts',
  description:
    'Each had a valid ID token for this workspace, and no trust with its claims: a trust for it pins `suggested_claims` as they are in `claims`. Anyone can start such a run in a repository of their own, so look at whose it is. A repeated attempt of the same job replaces the one before.',
  examples: [
    {
      step: 336,
      summary: 'None so far',
      by: 'owner',
      request: {},
      answer: { body: { data: [], issuers: [github, gitlab] } },
    },
  ],
})
