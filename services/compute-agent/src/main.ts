import { connectBus } from '@svc/bus/connection'
import { readConfig } from '@svc/runtime/config'
import { createLog } from '@svc/runtime/log'
import { failToStart, run } from '@svc/runtime/process'
import { processMetrics } from '@svc/telemetry/metrics'
import { agentConfig } from './config.ts'
import { drivers } from './drivers.ts'
import { holdClusters } from './hold-clusters.ts'

async function start() {
  const config = readConfig(agentConfig)
  const log = createLog('compute-agent', config.LOG_LEVEL)
  const metrics = processMetrics('compute-agent', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    const openPool = await drivers[config.DRIVER](config)
    const bus = await connectBus(config, log, metrics)
    const held = holdClusters({
      bus,
      clusters: config.CLUSTERS,
      minMachines: config.MIN_MACHINES,
      everyMs: config.RECONCILE_EVERY_SECONDS * 1000,
      log,
      openPool,
    })
    return {
      ready: { bus: () => bus.connected },
      drain: [() => Promise.all(held.map(one => one.stop())), bus.close],
    }
  })
}

start().catch(failToStart)
