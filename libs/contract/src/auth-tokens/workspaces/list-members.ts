import { member, workspaceInPath } from '../people.ts'
import { inAcme } from '../workspaces-example-bodies.ts'
import { memberOfPath } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import { ada, at, kim } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the members of a workspace',
  http: { method: 'GET', path: '/workspaces/{id}/members', status: 200 },
  access: memberOfPath,
  permission: 'members:read',
  params: workspaceInPath,
  query: pageQuery,
  output: page(member),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'members list',
  page: '/members',
  group: 'Workspaces',
  description: 'Newest user first. Invited people are not members yet and are not listed.',
  examples: [
    {
      step: 170,
      summary: 'List',
      by: 'owner',
      request: inAcme,
      answer: {
        body: {
          data: [
            { ...ada, name: null, role: 'owner', created_at: at() },
            { ...kim, name: null, role: 'member', created_at: at(200) },
          ],
          next_cursor: null,
        },
      },
    },
  ],
})
