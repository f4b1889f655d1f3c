import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery, pathId } from '../../core/text.ts'
import { theInstall } from '../installs-example-bodies.ts'
import { install, installStates } from '../installs.ts'
import { webOffer } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

/** A side may have any number that nobody pays any more. */
export const maxOverdue = 1000

export const operation = {
  summary: 'List the installs that the workspace owns or sold',
  http: { method: 'GET', path: '/installs', status: 200 },
  access: workspaceMember,
  permission: 'installs:read',
  query: pageQuery.extend({
    relation: z
      .enum(['owned', 'sold'])
      .default('owned')
      .describe('Which side of the install the workspace is on.'),
    offer_id: pathId.optional(),
    product_id: pathId.optional(),
    package_version_id: pathId.optional(),
    cluster_id: pathId.optional(),
    state: z.enum(installStates).optional(),
    subscription: z
      .enum(['overdue'])
      .optional()
      .describe(`Past due or lapsed at this moment; of the ${maxOverdue} that were due last.`),
  }),
  output: page(install).describe(
    'A page may be shorter than `limit` without being the last: continue until `next_cursor` is null.',
  ),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'installs list',
    examples: ['installs list --relation sold --all'],
    columns: ['id', 'state', 'offer_id', 'cluster_id', 'created_at'],
  },
  page: '/installs',
  group: 'Installs',
  description:
    'Newest first. `relation` chooses the side: `owned` by this workspace, or `sold` to others. A page may be shorter than `limit` without being the last.',
  examples: [
    {
      step: 1010,
      summary: 'The installs sold through an offer',
      by: 'script',
      request: { query: { relation: 'sold', offer_id: webOffer.id } },
      answer: { body: { data: [theInstall], next_cursor: null } },
    },
  ],
})
