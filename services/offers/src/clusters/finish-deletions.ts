import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute/compute'
import type { Sql } from '@svc/runtime/database'

const batch = 20

const patienceMs = 2000

/**
 * One round; any number of replicas may run it. Every deletion is requested again after its own call has ended,
 * which is cheaper than tracking which ones succeeded.
 *
 * @returns whether there may be more to do at once
 */
export async function finishDeletions(sql: () => Sql, callBus: CallBus): Promise<boolean> {
  const closed = await findClosed(sql())
  for (const { cluster_id, workspace } of closed) {
    await invoke(callBus, compute, 'remove_closed_cluster', {
      caller: { kind: 'internal', id: 'offers', workspace },
      body: { cluster_id },
      deadline: Date.now() + patienceMs,
    })
    await noteRemoved(sql(), { cluster_id, workspace })
  }
  return closed.length >= batch
}

interface Closed {
  readonly cluster_id: string
  readonly workspace: string
}

const findClosed = (sql: Sql) =>
  sql<Closed>`/* offers.find_deletion */
    select cluster_id, customer_workspace_id as workspace from closed_clusters
    where not removed and closed_at < clock_timestamp() - interval '10 seconds'
    order by closed_at limit ${batch}`

const noteRemoved = (sql: Sql, { cluster_id, workspace }: Closed) =>
  sql`/* offers.finish_deletion */
    update closed_clusters set removed = true
    where customer_workspace_id = ${workspace} and cluster_id = ${cluster_id}`
