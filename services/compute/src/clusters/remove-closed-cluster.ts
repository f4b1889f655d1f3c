import type { compute } from '@svc/contract/compute/compute'
import { bySystem } from '@svc/contract/core/actor'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { removeCluster } from './remove-cluster.ts'

/** Called by offers in case the deletion that closed it has died. */
export const removeClosedCluster: Handler<typeof compute.operations.remove_closed_cluster, Deps> = async (
  { body: { cluster_id } },
  { workspace },
  deps,
) => {
  const call = { ...deps.call, by: bySystem('finish_cluster_deletions') }
  return { body: { removed: await removeCluster(cluster_id, workspace, { ...deps, call }) } }
}
