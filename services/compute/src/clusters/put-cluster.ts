import type { compute } from '@svc/contract/compute/compute'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { sqlstate } from '@svc/runtime/sqlstate'
import { clusterFields, firstMaxMachines } from './cluster.ts'
import type { Deps } from '../deps.ts'
import { newEtag } from '../settings/settings.ts'

/** What the trigger `refuse_retired` raises. */
const retired = 'SV001'

export const putCluster: Handler<typeof compute.operations.put_cluster, Deps> = async (
  { body: { id, name } },
  caller,
  { sql, now, maxMachines, eventWritten, call },
) => {
  const time = Math.floor(now() / 1000)
  const [cluster] = await sql`/* compute.put_cluster */
    with current as (
      select ${clusterFields} as previous from clusters where workspace_id = ${caller.workspace} and id = ${id} for update
    ), put as (
      insert into clusters (id, workspace_id, name, max_machines, etag, created_at, updated_at)
      select ${id}, ${caller.workspace}, ${name}, ${Math.min(firstMaxMachines, maxMachines)}::int, ${newEtag()},
        to_timestamp(${time}), to_timestamp(${time})
      -- Read to its end before the row is changed, or the name that it had is lost.
      from (select count(*) from current) as counted
      on conflict (id) do update set name = excluded.name where clusters.workspace_id = excluded.workspace_id
      -- A row that was there was locked on the way, and says so.
      returning id, workspace_id, name, xmax = 0 as is_new
    ), event as (
      ${intoOutbox(call.by, changesOf(clusterFields))}
      id, case when is_new then 'events.clusters.created' else 'events.clusters.updated' end,
        jsonb_build_object('workspace_id', workspace_id)
      from put left join current on true
      where previous is distinct from ${clusterFields}
    )
    select id from put`.catch(error => {
    throw sqlstate(error) === retired ? wasDeleted() : error
  })
  if (!cluster) throw refusal('already_exists', { path: ['id'] })
  eventWritten()
  return { body: { id } }
}

const wasDeleted = () =>
  refusal('already_exists', {
    path: ['id'],
    message: 'A cluster with this id was deleted. Choose another id.',
  })
