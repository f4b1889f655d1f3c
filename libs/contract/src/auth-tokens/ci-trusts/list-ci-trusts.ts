import { ciTrust } from '../ci-trusts.ts'
import { shopTrust } from '../ci-trusts-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the CI trusts of the workspace',
  http: { method: 'GET', path: '/ci_trusts', status: 200 },
  access: workspaceAdmin,
  permission: 'api_tokens:read',
  query: pageQuery,
  output: page(ciTrust),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'ci-trusts list',
    columns: ['id', 'name', 'issuer', 'permissions', 'minutes', 'last_used_at'],
  },
  page: '/tokens/ci',
  group: 'CI trusts',
  description: 'Newest first.',
  examples: [
    {
      step: 333,
      summary: 'List',
      by: 'owner',
      request: {},
      answer: { body: { data: [shopTrust], next_cursor: null } },
    },
  ],
})
