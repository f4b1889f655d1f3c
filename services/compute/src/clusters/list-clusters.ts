import type { compute } from '@svc/contract/compute/compute'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import { clusterColumns, type ClusterRow, clusterRecord } from './cluster.ts'
import type { Deps } from '../deps.ts'

export const listClusters: Handler<typeof compute.operations.list_clusters, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<ClusterRow>`/* compute.list_clusters */
    select ${clusterColumns}
    from clusters
    where workspace_id = ${workspace} and id < ${afterCursor(cursor, 'clus')}
    order by id desc
    limit ${limit + 1}`
  const { data, next_cursor } = pageOf(rows, limit)
  return { body: { data: data.map(clusterRecord), next_cursor } }
}
