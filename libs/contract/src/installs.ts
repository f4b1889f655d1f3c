/** What customers installed from offers. */
import * as z from 'zod'
import { workspaceMember } from './access.ts'
import type { Operation } from './operation.ts'
import { page, pageQuery, pathId, unixSeconds } from './text.ts'

/** An install is handed over as `started`; what becomes of it is no matter of offers, until its owner removes it. */
export const installStates = ['started', 'removed'] as const

const install = z
  .object({
    id: z.string(),
    state: z.enum(installStates),
    workspace_id: z.string().describe('Whose install it is.'),
    seller_workspace_id: z.string().describe('Whose offer it came from.'),
    offer_id: z.string(),
    order_id: z.string(),
    product_id: z.string().nullable(),
    package_version_id: z.string(),
    cluster_id: z.string().nullable(),
    field_values: z
      .record(z.string(), z.unknown())
      .describe('As submitted, with the values that the seller locked.'),
    created_at: unixSeconds,
    removed_at: unixSeconds.nullable(),
  })
  .meta({ id: 'Install' })

export const installOperations = {
  list_installs: {
    summary: 'List the installs that the workspace owns, or sold',
    http: { method: 'GET', path: '/installs', status: 200 },
    access: workspaceMember,
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
    }),
    output: page(install).describe(
      'A page may be shorter than `limit` and not be the last: go on until `next_cursor` is null.',
    ),
    errors: [],
    safe: true,
  },
  get_install: {
    summary: 'Read an install that the workspace owns or sold',
    http: { method: 'GET', path: '/installs/{id}', status: 200 },
    access: workspaceMember,
    params: z.object({ id: pathId }),
    output: install,
    errors: ['NotFound'],
    safe: true,
  },
  remove_install: {
    summary: 'Tell that an install of the workspace is gone, so that its cluster can be deleted',
    http: { method: 'POST', path: '/installs/{id}/remove', status: 200 },
    access: workspaceMember,
    params: z.object({ id: pathId }),
    output: install,
    errors: ['NotFound'],
    safe: true,
  },
} as const satisfies Record<string, Operation>
