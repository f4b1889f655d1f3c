import { bareError } from '@svc/contract/errors'
import type { compute } from '@svc/contract/compute'
import type { Handler } from '@svc/contract/operation'
import { type ClusterRow, clusterRecord } from './cluster.ts'
import type { Deps } from './deps.ts'

export const getCluster: Handler<typeof compute.operations.get_cluster, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [cluster] = await sql<ClusterRow>`
    select id, name, auto_scaling_enabled, machines, max_machines, etag,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from updated_at))::bigint as updated_at
    from clusters where workspace_id = ${workspace} and id = ${id}`
  if (!cluster) throw bareError('ClusterNotFoundError')
  return { body: clusterRecord(cluster) }
}
