import { newSecretBody } from '../../auth-tokens/api-tokens.ts'
import { agentText } from '../agent-lines.ts'
import { inPath as inPathSchema } from '../agents.ts'
import { inPath } from '../clusters-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { secrets } from '../../core/secrets.ts'
import { createdAt, idOf, unixSeconds } from '../../core/text.ts'
import { agentSecret, at, cluster } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Create a new secret for the agent of a cluster; for owners and admins',
  http: { method: 'POST', path: '/clusters/{id}/agent_secret', status: 201 },
  access: workspaceAdmin,
  permission: 'clusters:write',
  params: inPathSchema,
  body: newSecretBody('the previous secret'),
  output: z
    .object({
      cluster_id: idOf('cluster', 'clus'),
      secret: z.string().describe('`ak_svc_…`. Shown only once; it cannot be read later.').register(secrets),
      created_at: createdAt,
      previous_expires_at: unixSeconds
        .optional()
        .describe('Unix seconds, until which the previous secret is accepted; absent: there is none.'),
    })
    .meta({ id: 'AgentSecret' }),
  errors: ['ClusterNotFoundError'],
  stepUp: true,
  event: 'clusters.agent_secret_created',
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'clusters agent-secret create',
    help: 'Create a new secret for the agent of a cluster; it is shown only once.',
    options: {
      grace_seconds: {
        help: 'How long the previous secret stays valid, such as 1h (default: not at all).',
      },
    },
    beside: agentText,
    examples: ['clusters agent-secret create clus_01h455vb4pex5vsknk084sn02q --grace 1h'],
  },
  page: '/clusters/:id/agent-secret',
  group: 'Clusters',
  description:
    'With it an agent connects to the bus, and can read and report this cluster only. A cluster has one secret, plus the previous one for as long as you specify. It ends with the cluster.',
  examples: [
    {
      step: 1150,
      summary: 'A secret for its agent',
      by: 'owner',
      request: { ...inPath, body: { grace_seconds: 3600 } },
      answer: { body: { cluster_id: cluster, secret: agentSecret, created_at: at(5100) } },
    },
  ],
})
