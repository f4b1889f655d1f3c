import type { compute } from '@svc/contract/compute'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import { type ClusterRow, clusterRecord } from './cluster.ts'
import type { Deps } from './deps.ts'

export const listClusters: Handler<typeof compute.operations.list_clusters, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<ClusterRow>`
    select id, name, auto_scaling_enabled, machines, max_machines, etag,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from updated_at))::bigint as updated_at
    from clusters
    where workspace_id = ${workspace} and id < ${afterCursor(cursor, 'clus')}
    order by id desc
    limit ${limit + 1}`
  const { data, next_cursor } = pageOf(rows, limit)
  return { body: { data: data.map(clusterRecord), next_cursor } }
}
