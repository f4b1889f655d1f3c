import { bareError } from '@svc/contract/core/errors'
import type { compute } from '@svc/contract/compute/compute'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { clusterColumns, clusterFields, type ClusterRow, clusterRecord } from './cluster.ts'
import type { Deps } from '../deps.ts'

/** The name is not part of the settings: their etag and time stay the same. */
export const updateCluster: Handler<typeof compute.operations.update_cluster, Deps> = async (
  { params: { id }, body: { name } },
  { workspace },
  { sql, eventWritten, call },
) => {
  const [cluster] = await sql<ClusterRow>`/* compute.update_cluster */
    with current as (
      select id, ${clusterFields} as previous from clusters where workspace_id = ${workspace} and id = ${id} for update
    ), renamed as (
      update clusters c set name = ${name} from current where c.id = current.id
      returning c.*, current.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(clusterFields))}
      id, 'events.clusters.updated', jsonb_build_object('workspace_id', workspace_id)
      from renamed where previous <> ${clusterFields}
    )
    select ${clusterColumns}
    from renamed`
  if (!cluster) throw bareError('ClusterNotFoundError')
  eventWritten()
  return { body: clusterRecord(cluster) }
}
