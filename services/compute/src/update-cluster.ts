import { bareError } from '@svc/contract/errors'
import type { compute } from '@svc/contract/compute'
import type { Handler } from '@svc/contract/operation'
import { type ClusterRow, clusterRecord } from './cluster.ts'
import type { Deps } from './deps.ts'

/** The name is no part of the settings: their etag and time stay. */
export const updateCluster: Handler<typeof compute.operations.update_cluster, Deps> = async (
  { params: { id }, body: { name } },
  { workspace },
  { sql, eventWritten },
) => {
  const [cluster] = await sql<ClusterRow>`
    with current as (
      select id, name from clusters where workspace_id = ${workspace} and id = ${id} for update
    ), renamed as (
      update clusters c set name = ${name} from current where c.id = current.id
      returning c.*
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select r.id, 'events.clusters.updated', jsonb_build_object('workspace_id', r.workspace_id)
      from renamed r join current on current.name <> r.name
    )
    select id, name, auto_scaling_enabled, machines, max_machines, etag,
      floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from updated_at))::bigint as updated_at
    from renamed`
  if (!cluster) throw bareError('ClusterNotFoundError')
  eventWritten()
  return { body: clusterRecord(cluster) }
}
