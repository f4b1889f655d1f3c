import { inPath } from '../clusters-example-bodies.ts'
import { inPath as inPathSchema } from '../clusters.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { customerCluster, install } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Delete a cluster, unless an install refers to it; for owners and admins',
  http: { method: 'DELETE', path: '/clusters/{id}', status: 204 },
  access: workspaceAdmin,
  permission: 'clusters:write',
  params: inPathSchema,
  errors: ['ClusterNotFoundError', 'Conflict'],
  event: 'clusters.deleted',
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'clusters delete',
  page: '/clusters/:id/delete',
  group: 'Clusters',
  description: 'Refused while an install or an order refers to it; `metadata` names one.',
  codes: ['in_use'],
  examples: [
    {
      step: 1210,
      summary: 'An install refers to it',
      by: 'customer',
      request: { params: { id: customerCluster } },
      refusal: refusal('in_use', {
        message: `It cannot be deleted: install ${install} refers to it.`,
        metadata: { install },
      }),
    },
    {
      step: 1220,
      summary: 'A cluster that nothing refers to',
      by: 'owner',
      request: inPath,
      answer: {},
    },
  ],
})
