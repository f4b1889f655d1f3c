import { workspace } from '../people.ts'
import { own } from '../workspaces-example-bodies.ts'
import { personOrToken } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the workspaces that the credential has access to',
  http: { method: 'GET', path: '/workspaces', status: 200 },
  access: personOrToken,
  permission: 'workspace:read',
  query: pageQuery,
  output: page(workspace),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'workspace list', own: true },
  page: '/settings',
  group: 'Workspaces',
  description: 'Newest first. With an API token, only the token’s own workspace is listed.',
  examples: [
    {
      step: 20,
      summary: 'A person’s workspaces',
      by: 'owner',
      request: {},
      answer: {
        body: { data: [own], next_cursor: null },
      },
    },
  ],
})
