import { workspaceMember } from '../../core/access.ts'
import { kind, matches, maxWords } from '../../core/matches.ts'
import type { Operation } from '../../core/operation.ts'
import { nameText } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Search the workspace',
  http: { method: 'GET', path: '/search', status: 200 },
  access: workspaceMember,
  permission: 'workspace:read',
  query: z.strictObject({
    q: nameText(100).describe(`Beginnings of words; ${maxWords} count.`),
  }),
  output: matches
    .extend({
      unsearched: z.array(kind).describe('Cannot be searched now.'),
    })
    .meta({ id: 'SearchResults' }),
  errors: [],
  safe: true,
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'search', own: true },
  page: '/search',
  group: 'Workspaces',
  description: 'Also finds offers by customer and notes, orders by customer, address and reference.',
  examples: [
    {
      step: 45,
      summary: 'Nothing is found',
      by: 'owner',
      request: { query: { q: 'novak' } },
      answer: { body: { data: [], more: [], unsearched: [] } },
    },
  ],
})
