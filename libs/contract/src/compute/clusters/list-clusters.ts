import { theCluster } from '../clusters-example-bodies.ts'
import { cluster } from '../clusters.ts'
import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List the clusters of the workspace',
  http: { method: 'GET', path: '/clusters', status: 200 },
  access: workspaceMember,
  permission: 'clusters:read',
  query: pageQuery,
  output: page(cluster),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'clusters list',
    columns: [
      'id',
      'name',
      'machines: compute_settings.machines',
      'max_machines: compute_settings.max_machines',
      'auto_scaling: compute_settings.auto_scaling',
    ],
  },
  page: '/clusters',
  group: 'Clusters',
  description: 'Newest first, with their compute settings and what is known of their agents.',
  examples: [
    {
      step: 1090,
      summary: 'List',
      by: 'script',
      request: {},
      answer: { body: { data: [theCluster], next_cursor: null } },
    },
  ],
})
