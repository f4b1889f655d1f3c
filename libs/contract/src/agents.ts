/** The agent of a cluster: the secret with which it comes to the bus, and what it does there. */
import * as z from 'zod'
import { clusterAgent, workspaceAdmin } from './access.ts'
import { newSecretBody } from './api-tokens.ts'
import type { AgentCaller } from './caller.ts'
import { computeSettings } from './compute-settings.ts'
import { agentSubject, type Operation, subjectOf } from './operation.ts'
import { settingsNotice } from './notices.ts'
import { pathId, unixSeconds } from './text.ts'

const inPath = z.object({ id: pathId })

export const agentOperations = {
  create_agent_secret: {
    summary: 'Give the agent of a cluster a new secret; for owners and admins',
    http: { method: 'POST', path: '/clusters/{id}/agent_secret', status: 201 },
    access: workspaceAdmin,
    params: inPath,
    body: newSecretBody('the secret before'),
    output: z
      .object({
        cluster_id: z.string(),
        secret: z.string().describe('`ak_svc_…`. Shown this once; it cannot be read later.'),
        created_at: unixSeconds,
        previous_expires_at: unixSeconds
          .optional()
          .describe('When the secret before ends; absent: there is none.'),
      })
      .meta({ id: 'AgentSecret' }),
    errors: ['ClusterNotFoundError'],
  },
  revoke_agent_secret: {
    summary: 'Shut the agent of a cluster out; for owners and admins',
    http: { method: 'DELETE', path: '/clusters/{id}/agent_secret', status: 204 },
    access: workspaceAdmin,
    params: inPath,
    errors: ['ClusterNotFoundError'],
    safe: true,
  },
  get_agent_settings: {
    summary: 'The compute settings that an agent holds its cluster to',
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

/** All that an agent may do on the bus, beside receiving answers. */
export const agentRights = (agent: AgentCaller) => ({
  publish: Object.entries<Operation>(agentOperations)
    .filter(([, { access }]) => access.agent)
    .map(([name]) => agentSubject(subjectOf('compute', name), agent)),
  subscribe: [settingsNotice(agent.cluster)],
})
