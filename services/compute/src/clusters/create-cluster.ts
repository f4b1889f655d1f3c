import type { compute } from '@svc/contract/compute/compute'
import type { Handler } from '@svc/contract/core/operation'
import { createdOrReplayed, type CreatedRow, creationKey, orCreated } from '@svc/runtime/creation-key'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { clusterColumns, clusterRecord, type ClusterRow, firstMaxMachines } from './cluster.ts'
import type { Deps } from '../deps.ts'
import { newEtag } from '../settings/settings.ts'

export const createCluster: Handler<typeof compute.operations.create_cluster, Deps> = async (
  { headers, body },
  { workspace },
  { sql, now, maxMachines, eventWritten, call },
) => {
  const id = newId('clus')
  const key = creationKey(headers, body)
  const time = Math.floor(now() / 1000)
  const [row] = await sql<ClusterRow & CreatedRow>`/* compute.create_cluster */
    with created as (
      insert into clusters (
        id, workspace_id, name, max_machines, etag, created_at, updated_at, creation_key, creation_intent
      )
      values (
        ${id}, ${workspace}, ${body.name}, ${Math.min(firstMaxMachines, maxMachines)}, ${newEtag()},
        to_timestamp(${time}), to_timestamp(${time}), ${key.key}, ${key.intent}
      )
      ${orCreated}
      returning *
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.clusters.created', jsonb_build_object('workspace_id', workspace_id) from created where id = ${id}
    )
    select ${clusterColumns}, creation_intent from created`
  const { resource, headers: replied } = createdOrReplayed(row, id, key)
  eventWritten()
  return { body: clusterRecord(resource), headers: replied }
}
