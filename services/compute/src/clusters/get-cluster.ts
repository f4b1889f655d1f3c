import { bareError } from '@svc/contract/core/errors'
import type { compute } from '@svc/contract/compute/compute'
import type { Handler } from '@svc/contract/core/operation'
import { clusterColumns, type ClusterRow, clusterRecord } from './cluster.ts'
import type { Deps } from '../deps.ts'

export const getCluster: Handler<typeof compute.operations.get_cluster, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [cluster] = await sql<ClusterRow>`/* compute.get_cluster */
    select ${clusterColumns}
    from clusters where workspace_id = ${workspace} and id = ${id}`
  if (!cluster) throw bareError('ClusterNotFoundError')
  return { body: clusterRecord(cluster) }
}
