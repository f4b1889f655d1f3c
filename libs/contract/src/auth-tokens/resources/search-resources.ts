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
  query: z.strictObject({
    q: nameText(100).describe(`Beginnings of words, of which the first ${maxWords} count.`),
  }),
  output: matches
    .extend({
      unsearched: z.array(kind).describe('Kinds that could not be searched just now: ask again for those.'),
    })
    .meta({ id: 'SearchResults' }),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'search', own: true },
  page: '/search',
  group: 'Workspaces',
  description:
    'Finds products, packages, offers (by product, customer and notes), orders (by customer, address and reference), installs, clusters, API tokens, members and, for owners and admins, webhook endpoints, of which each word begins a word, whatever its case and accents. Customers find their orders and installs. Ids are not searched.',
  examples: [
    {
      step: 45,
      summary: 'Nothing has such a name yet',
      by: 'owner',
      request: { query: { q: 'novak' } },
      answer: { body: { data: [], more: [], unsearched: [] } },
    },
  ],
})
