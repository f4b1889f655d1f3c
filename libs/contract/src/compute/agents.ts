import * as z from 'zod'
import { clusterAgent } from '../core/access.ts'
import type { AgentCaller } from '../core/caller.ts'
import { computeSettings } from './compute-settings.ts'
import { agentSubject, type Operation, subjectOf } from '../core/operation.ts'
import { settingsNotice } from '../notices.ts'
import { pathId } from '../core/text.ts'

export const inPath = z.object({ id: pathId })

export const agentOperations = {
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

export const agentRights = (agent: AgentCaller) => ({
  publish: Object.entries<Operation>(agentOperations)
    .filter(([, { access }]) => access.agent)
    .map(([name]) => agentSubject(subjectOf('compute', name), agent)),
  subscribe: [settingsNotice(agent.cluster)],
})
