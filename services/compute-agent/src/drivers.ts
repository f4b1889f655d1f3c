import { ConfigError } from '@svc/runtime/config'
import type { z } from 'zod'
import type { agentConfig } from './config.ts'
import type { HoldClustersOptions } from './hold-clusters.ts'
import { createSimulatedPool } from './simulated-pool.ts'

type Config = z.output<z.ZodObject<typeof agentConfig>>
type OpenPool = HoldClustersOptions['openPool']

export const drivers: Record<Config['DRIVER'], (config: Config) => Promise<OpenPool>> = {
  async simulated({ SIMULATED_STEP_MS: stepMs }) {
    // Simulated machines do not outlive the agent: it continues with the number last reported.
    return (_cluster, reported) => createSimulatedPool({ initial: reported, stepMs })
  },

  async 'cluster-api'({ CLUSTERS, CLUSTER_API_VERSION: version }) {
    const nowhere = CLUSTERS.filter(({ machineDeployment }) => !machineDeployment)
    if (nowhere.length > 0) {
      const ids = nowhere.map(({ cluster_id }) => cluster_id).join(', ')
      throw new ConfigError([
        `  CLUSTERS: say where each is, as clus_…=<namespace>/<name>; missing for ${ids}`,
      ])
    }
    // They bring undici, which no simulated pool needs.
    const [{ createClusterApiPool }, { kubeAccess }, { createKubeApi }] = await Promise.all([
      import('./cluster-api-pool.ts'),
      import('./kube-access.ts'),
      import('./kube-api.ts'),
    ])
    const api = createKubeApi(kubeAccess())
    return ({ machineDeployment: { namespace, name } = { namespace: '', name: '' } }, _reported, log) =>
      createClusterApiPool({ api, namespace, name, version, log })
  },
}
