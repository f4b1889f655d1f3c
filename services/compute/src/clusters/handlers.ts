import type { compute } from '@svc/contract/compute/compute'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { createCluster } from './create-cluster.ts'
import { deleteCluster } from './delete-cluster.ts'
import { getCluster } from './get-cluster.ts'
import { listClusters } from './list-clusters.ts'
import { listMachineCounts } from './list-machine-counts.ts'
import { removeClosedCluster } from './remove-closed-cluster.ts'
import { updateCluster } from './update-cluster.ts'

export const clustersHandlers = {
  create_cluster: createCluster,
  list_clusters: listClusters,
  get_cluster: getCluster,
  list_machine_counts: listMachineCounts,
  update_cluster: updateCluster,
  delete_cluster: deleteCluster,
  remove_closed_cluster: removeClosedCluster,
} satisfies Partial<Handlers<typeof compute, Deps>>
