/** The agent of a cluster: the secret with which it connects to the bus, and what it does there. */
import * as z from 'zod'
import { clusterAgent, workspaceAdmin } from '../core/access.ts'
import { newSecretBody } from '../auth-tokens/api-tokens.ts'
import type { AgentCaller } from '../core/caller.ts'
import { computeSettings } from './compute-settings.ts'
import { agentSubject, type Operation, subjectOf } from '../core/operation.ts'
import { secrets } from '../core/secrets.ts'
import { settingsNotice } from '../notices.ts'
import { createdAt, idOf, pathId, unixSeconds } from '../core/text.ts'

const inPath = z.object({ id: pathId })

export const agentOperations = {
  create_agent_secret: {
    summary: 'Create a new secret for the agent of a cluster; for owners and admins',
    http: { method: 'POST', path: '/clusters/{id}/agent_secret', status: 201 },
    access: workspaceAdmin,
    params: inPath,
    body: newSecretBody('the previous secret'),
    output: z
      .object({
        cluster_id: idOf('cluster', 'clus'),
        secret: z
          .string()
          .describe('`ak_svc_…`. Shown only once; it cannot be read later.')
          .register(secrets),
        created_at: createdAt,
        previous_expires_at: unixSeconds
          .optional()
          .describe('Unix seconds, until which the previous secret is accepted; absent: there is none.'),
      })
      .meta({ id: 'AgentSecret' }),
    errors: ['ClusterNotFoundError'],
    event: 'clusters.agent_secret_created',
  },
  revoke_agent_secret: {
    summary: 'Revoke the secret of a cluster’s agent; for owners and admins',
    http: { method: 'DELETE', path: '/clusters/{id}/agent_secret', status: 204 },
    access: workspaceAdmin,
    params: inPath,
    errors: ['ClusterNotFoundError'],
    event: 'clusters.agent_secret_revoked',
    safe: true,
  },
  get_agent_settings: {
    summary: 'Read the compute settings that an agent applies to its cluster',
    access: clusterAgent,
    output: computeSettings,
    errors: ['ClusterNotFoundError'],
    safe: true,
  },
  report_machines: {
    summary: 'Report how many machines a cluster has',
    access: clusterAgent,
    body: z.strictObject({ machines: z.int().min(0).max(1_000_000) }),
    output: z.object({ machines: z.int() }),
    errors: ['ClusterNotFoundError'],
    safe: true,
  },
} as const satisfies Record<string, Operation>

/** Everything an agent may do on the bus besides receiving replies. */
export const agentRights = (agent: AgentCaller) => ({
  publish: Object.entries<Operation>(agentOperations)
    .filter(([, { access }]) => access.agent)
    .map(([name]) => agentSubject(subjectOf('compute', name), agent)),
  subscribe: [settingsNotice(agent.cluster)],
})
