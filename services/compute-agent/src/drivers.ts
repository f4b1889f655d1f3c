/** The kinds of pools, by the name in the configuration. */
import type { agentConfig } from './config.ts'
import type { HoldClustersOptions } from './hold-clusters.ts'
import { createSimulatedPool } from './simulated-pool.ts'
import type { z } from 'zod'

type Config = z.output<z.ZodObject<typeof agentConfig>>
type OpenPool = HoldClustersOptions['openPool']

export const drivers: Record<Config['DRIVER'], (config: Config) => Promise<OpenPool>> = {
  simulated:
    async ({ SIMULATED_STEP_MS: stepMs }) =>
    // Machines that are simulated do not outlive the agent: it goes on where the last one stood.
    (_cluster, reported) =>
      createSimulatedPool({ initial: reported, stepMs }),

  'cluster-api': async () => {
    throw new Error('not yet')
  },
}
