import { createCall } from '@svc/bus/call'
import type { Bus, BusLog } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { awaitNotices } from '@svc/bus/notices'
import { compute } from '@svc/contract/compute/compute'
import { settingsNotice } from '@svc/contract/notices'
import { agentKey } from '@svc/runtime/credential'
import type { Metrics } from '@svc/telemetry/metrics'
import type { ClusterConfig } from './config.ts'
import { countAttempts } from './count-attempts.ts'
import { holdPool } from './hold-pool.ts'
import type { Pool } from './pool.ts'

export interface HoldClustersOptions {
  readonly clusters: readonly ClusterConfig[]
  readonly secretOf: (cluster_id: string) => string
  readonly connect: (cluster_id: string, log: BusLog) => Promise<Bus | undefined>
  readonly minMachines: number
  readonly everyMs: number
  readonly metrics: Metrics
  readonly log: BusLog & { child(fields: object): BusLog }
  /** @param reported the number of machines that the service has recorded */
  readonly openPool: (cluster: ClusterConfig, reported: () => Promise<number>, log: BusLog) => Pool
}

/** Milliseconds; with the pause until the next round less than two minutes. */
const reportAgainMs = 60_000

export interface HeldCluster {
  readonly connected: boolean | undefined
  stop(): Promise<void>
}

export function holdClusters(options: HoldClustersOptions): HeldCluster[] {
  const { clusters, connect, metrics } = options
  const attempts = countAttempts(metrics, Date.now)
  return clusters.map(cluster => {
    const log = options.log.child({ cluster_id: cluster.cluster_id })
    // A cluster that never connects shows up like any pool that is not reconciled.
    const attempted = attempts()
    let bus: Bus | undefined
    let stopped = false
    const holding = connect(cluster.cluster_id, log).then(connected => {
      bus = connected
      return connected && !stopped ? holdCluster(connected, cluster, options, { log, attempted }) : undefined
    })
    return {
      get connected() {
        return bus?.connected
      },
      async stop() {
        stopped = true
        await (await holding)?.stop()
        await bus?.close()
      },
    }
  })
}

function holdCluster(
  bus: Bus,
  cluster: ClusterConfig,
  { minMachines, everyMs, openPool, secretOf }: HoldClustersOptions,
  { log, attempted }: { log: BusLog; attempted: (ok: boolean) => void },
) {
  const { cluster_id } = cluster
  const call = createCall(bus)
  const caller = { kind: 'agent', cluster: cluster_id, id: agentKey(secretOf(cluster_id)) } as const
  const settings = () => invoke(call, compute, 'get_agent_settings', { caller })
  const report = (machines: number) =>
    invoke(call, compute, 'report_machines', { caller, body: { machines } })
  const pool = openPool(cluster, async () => (await settings()).machines, log)
  const held = holdPool({ pool, settings, report, minMachines, everyMs, reportAgainMs, log, attempted })
  const unlisten = awaitNotices(bus, settingsNotice(cluster_id), log, held.wake)
  // Picks up changes from before the subscription.
  held.wake()
  return {
    async stop() {
      unlisten()
      await held.stop()
    },
  }
}
