import { connectBus } from '@svc/bus/connection'
import { readConfig } from '@svc/runtime/config'
import { createLog } from '@svc/runtime/log'
import { failToStart, run } from '@svc/runtime/process'
import { agentConfig } from './config.ts'
import { drivers } from './drivers.ts'
import { holdClusters } from './hold-clusters.ts'

async function start() {
  const config = readConfig(agentConfig)
  const log = createLog('compute-agent', config.LOG_LEVEL)
  await run(config, log, async () => {
    const openPool = await drivers[config.DRIVER](config)
    const bus = await connectBus(config, log)
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
