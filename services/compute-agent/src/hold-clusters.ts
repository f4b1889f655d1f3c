import { createCall } from '@svc/bus/call'
import type { Bus, BusLog } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { awaitNotices } from '@svc/bus/notices'
import { compute } from '@svc/contract/compute'
import { settingsNotice } from '@svc/contract/notices'
import type { ClusterConfig } from './config.ts'
import { countAttempts } from './count-attempts.ts'
import { type Held, holdPool } from './hold-pool.ts'
import type { Pool } from './pool.ts'

export interface HoldClustersOptions {
  readonly bus: Bus
  readonly clusters: readonly ClusterConfig[]
  readonly minMachines: number
  readonly everyMs: number
  readonly log: BusLog & { child(fields: object): BusLog }
  /** @param reported how many machines the service believes there are */
  readonly openPool: (cluster: ClusterConfig, reported: () => Promise<number>, log: BusLog) => Pool
}

const caller = { kind: 'internal', id: 'compute-agent' } as const

/** Holds the pool of each cluster to its settings, from now on and at every change. */
export function holdClusters(options: HoldClustersOptions): Held[] {
  const { bus, clusters, minMachines, everyMs, openPool } = options
  const call = createCall(bus)
  const attempts = countAttempts(bus.metrics, Date.now)
  return clusters.map(cluster => {
    const { cluster_id } = cluster
    const log = options.log.child({ cluster_id })
    const settings = () => invoke(call, compute, 'get_agent_settings', { caller, body: { cluster_id } })
    const report = (machines: number) =>
      invoke(call, compute, 'report_machines', { caller, body: { cluster_id, machines } })
    const pool = openPool(cluster, async () => (await settings()).machines, log)
    const held = holdPool({ pool, settings, report, minMachines, everyMs, log, attempted: attempts() })
    const unlisten = awaitNotices(bus, settingsNotice(cluster_id), log, held.wake)
    // What was changed before the subscription was there.
    held.wake()
    return {
      ...held,
      async stop() {
        unlisten()
        await held.stop()
      },
    }
  })
}
