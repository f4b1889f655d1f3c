import { ConfigError, readConfig } from '@svc/runtime/config'
import { createLog } from '@svc/runtime/log'
import { failToStart, run } from '@svc/runtime/process'
import { processMetrics } from '@svc/telemetry/metrics'
import { agentConfig, type AgentConfig } from './config.ts'
import { connectCluster } from './connect-cluster.ts'
import { drivers } from './drivers.ts'
import { holdClusters } from './hold-clusters.ts'

async function start() {
  const config = readConfig(agentConfig)
  const log = createLog('compute-agent', config.LOG_LEVEL)
  const metrics = processMetrics('compute-agent', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    const openPool = await drivers[config.DRIVER](config)
    const secretOf = secretsOf(config)
    const stopping = new AbortController()
    const held = holdClusters({
      clusters: config.CLUSTERS,
      secretOf,
      connect: (cluster, log) => {
        const access = { NATS_USER: cluster, NATS_PASSWORD: secretOf(cluster) }
        const shared = config.NATS_USER && {
          NATS_USER: config.NATS_USER,
          NATS_PASSWORD: config.NATS_PASSWORD,
        }
        const { NATS_URL, NATS_TLS_CA_FILE } = config
        return connectCluster(
          { NATS_URL, NATS_TLS_CA_FILE, ...(shared || access) },
          log,
          metrics,
          stopping.signal,
        )
      },
      minMachines: config.MIN_MACHINES,
      everyMs: config.RECONCILE_EVERY_SECONDS * 1000,
      metrics,
      log,
      openPool,
    })
    const stop = async () => {
      stopping.abort()
      await Promise.all(held.map(one => one.stop()))
    }
    // The others show in the log, and in svc_agent_last_success_seconds.
    const connected = () => {
      const known = held.flatMap(one => one.connected ?? [])
      return known.length > 0 && known.every(Boolean)
    }
    return { ready: { bus: connected }, drain: [stop] }
  })
}

function secretsOf({ CLUSTERS, AGENT_SECRETS }: AgentConfig) {
  const missing = CLUSTERS.filter(({ cluster_id }) => !AGENT_SECRETS.has(cluster_id))
  if (missing.length > 0) {
    const ids = missing.map(({ cluster_id }) => cluster_id).join(', ')
    throw new ConfigError([
      `  AGENT_SECRETS: give the secret of each, as clus_…=ak_svc_…; missing for ${ids}`,
    ])
  }
  return (cluster: string) => AGENT_SECRETS.get(cluster) ?? ''
}

start().catch(failToStart)
