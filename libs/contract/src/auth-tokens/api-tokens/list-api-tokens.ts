import { apiToken } from '../api-tokens.ts'
import { listedDeploy, listedLaptop } from '../workspaces-example-bodies.ts'
import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery, querySeconds } from '../../core/text.ts'
import { nextCentury } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'List the API tokens of the workspace',
  http: { method: 'GET', path: '/api_tokens', status: 200 },
  access: workspaceMember,
  permission: 'api_tokens:read',
  query: pageQuery.extend({
    kind: z.enum(['ci']).optional().describe('`ci`: those of CI runs; omitted: all others.'),
    ends_before: querySeconds.describe('Only those that end before this second, and have not ended yet.'),
    unused_since: querySeconds.describe(
      'Only those that were created before this second and not used since.',
    ),
  }),
  output: page(apiToken),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'tokens list',
    options: {
      kind: { help: 'ci: those of CI runs, which are not listed otherwise.' },
      ends_before: { help: 'Only those that end before it, such as 7d from now.' },
      unused_since: { help: 'Only those made before it and not used since.' },
    },
  },
  page: '/tokens',
  group: 'API tokens',
  description:
    'Newest first, without their secrets. Owners and admins see who created each, and whether that person is still a member. With both `ends_before` and `unused_since`, those for which both hold.',
  examples: [
    {
      step: 280,
      summary: 'The first page of two',
      by: 'owner',
      request: { query: { limit: '1' } },
      answer: {
        body: {
          data: [listedLaptop],
          next_cursor: 'dG9rXzAxa2IybTh4cTU',
        },
      },
    },
    {
      step: 290,
      name: 'ends_before',
      summary: 'Those that end before a time',
      by: 'owner',
      request: { query: { ends_before: String(nextCentury + 1) } },
      answer: {
        body: {
          data: [listedDeploy],
          next_cursor: null,
        },
      },
    },
  ],
})
