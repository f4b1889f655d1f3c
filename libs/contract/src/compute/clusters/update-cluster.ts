import { inPath, theCluster } from '../clusters-example-bodies.ts'
import { cluster, inPath as inPathSchema, named } from '../clusters.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Rename a cluster; for owners and admins',
  http: { method: 'PATCH', path: '/clusters/{id}', status: 200 },
  access: workspaceAdmin,
  permission: 'clusters:write',
  params: inPathSchema,
  body: named,
  output: cluster,
  errors: ['ClusterNotFoundError'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'clusters update',
  page: '/clusters/:id/rename',
  group: 'Clusters',
  description: 'Changes only the name. The etag of the compute settings stays the same.',
  examples: [
    {
      step: 1140,
      summary: 'Rename',
      by: 'owner',
      request: { ...inPath, body: { name: 'production' } },
      answer: { body: theCluster },
    },
  ],
})
