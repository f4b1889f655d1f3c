import type { compute } from '@svc/contract/compute/compute'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { clusterRecord, firstMaxMachines } from './cluster.ts'
import type { Deps } from '../deps.ts'
import { newEtag } from '../settings/settings.ts'

export const createCluster: Handler<typeof compute.operations.create_cluster, Deps> = async (
  { body: { name } },
  { workspace },
  { sql, now, maxMachines, eventWritten, call },
) => {
  const time = Math.floor(now() / 1000)
  const created = {
    id: newId('clus'),
    name,
    created_at: time,
    auto_scaling_enabled: true,
    machines: 0,
    max_machines: Math.min(firstMaxMachines, maxMachines),
    updated_at: time,
    etag: newEtag(),
    has_secret: false,
    last_reported_at: null,
  }
  await sql`/* compute.create_cluster */
    with created as (
      insert into clusters (id, workspace_id, name, auto_scaling_enabled, max_machines, etag, created_at, updated_at)
      values (
        ${created.id}, ${workspace}, ${name}, ${created.auto_scaling_enabled}, ${created.max_machines}, ${created.etag},
        to_timestamp(${time}), to_timestamp(${time})
      )
      returning id, workspace_id
    )
    ${intoOutbox(call.by)}
    id, 'events.clusters.created', jsonb_build_object('workspace_id', workspace_id) from created`
  eventWritten()
  return { body: clusterRecord(created) }
}
