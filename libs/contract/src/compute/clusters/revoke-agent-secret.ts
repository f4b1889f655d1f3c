import { inPath as inPathSchema } from '../agents.ts'
import { inPath } from '../clusters-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Revoke the secret of a cluster’s agent; for owners and admins',
  http: { method: 'DELETE', path: '/clusters/{id}/agent_secret', status: 204 },
  access: workspaceAdmin,
  permission: 'clusters:write',
  params: inPathSchema,
  errors: ['ClusterNotFoundError'],
  event: 'clusters.agent_secret_revoked',
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'clusters agent-secret revoke',
    help: 'Revoke the secret of a cluster’s agent; it is refused from then on.',
    done: 'Revoked the agent secret of {id}.',
  },
  page: '/clusters/:id/agent-secret/revoke',
  group: 'Clusters',
  description: 'The agent is refused as soon as this call returns, until it has a new secret.',
  examples: [
    {
      step: 1160,
      summary: 'The secret was lost',
      by: 'owner',
      request: inPath,
      answer: {},
    },
  ],
})
