import type { compute } from '@svc/contract/compute'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { removeCluster } from './remove-cluster.ts'

/** Asked by offers, where the deletion that had it closed may have died. */
export const removeClosedCluster: Handler<typeof compute.operations.remove_closed_cluster, Deps> = async (
  { body: { cluster_id } },
  { workspace },
  deps,
) => ({ body: { removed: await removeCluster(cluster_id, workspace, deps) } })
