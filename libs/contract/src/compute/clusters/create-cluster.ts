import { theCluster } from '../clusters-example-bodies.ts'
import { cluster, named } from '../clusters.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { idempotencyHeaders } from '../../core/idempotency.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Create a cluster; for owners and admins',
  http: { method: 'POST', path: '/clusters', status: 201 },
  access: workspaceAdmin,
  permission: 'clusters:write',
  headers: idempotencyHeaders,
  body: named,
  output: cluster,
  replyHeaders: ['Idempotent-Replayed'],
  errors: ['Conflict', 'Unprocessable'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'clusters create', examples: ['clusters create --name production'] },
  page: '/clusters/new',
  group: 'Clusters',
  description: 'A cluster starts with the default compute settings and without machines.',
  codes: ['key_reused', 'quota_exceeded'],
  examples: [
    {
      step: 1080,
      summary: 'A cluster',
      by: 'owner',
      request: { body: { name: 'production' } },
      answer: { body: theCluster },
    },
  ],
})
