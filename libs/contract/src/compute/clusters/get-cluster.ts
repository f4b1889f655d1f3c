import { inPath, theCluster } from '../clusters-example-bodies.ts'
import { cluster, inPath as inPathSchema } from '../clusters.ts'
import { workspaceMember } from '../../core/access.ts'
import { bareError } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { absent } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read a cluster',
  http: { method: 'GET', path: '/clusters/{id}', status: 200 },
  access: workspaceMember,
  permission: 'clusters:read',
  params: inPathSchema,
  output: cluster,
  errors: ['ClusterNotFoundError'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'clusters get',
  page: '/clusters/:id',
  group: 'Clusters',
  description:
    'With its compute settings, etag included, and when its agent last reported. The agent that comes with the product reports at least every two minutes.',
  examples: [
    {
      step: 1100,
      summary: 'Read',
      by: 'script',
      request: inPath,
      answer: { body: theCluster },
    },
    {
      step: 1110,
      summary: 'Id of another workspace',
      by: 'script',
      request: { params: { id: absent('clus') } },
      refusal: bareError('ClusterNotFoundError'),
    },
  ],
})
