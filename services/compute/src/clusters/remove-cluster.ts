/** Removes a cluster that offers has closed: nothing refers to it, and nothing ever will (docs/inside/clusters.md). */
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'

export async function removeCluster(
  id: string,
  workspace: string,
  { sql, eventWritten, call }: Pick<Deps, 'sql' | 'eventWritten' | 'call'>,
): Promise<boolean> {
  const removed = await sql`/* compute.remove_cluster */
    with deleted as (
      delete from clusters where workspace_id = ${workspace} and id = ${id} returning id, workspace_id
    ), retired as (
      insert into retired_ids select id from deleted
    )
    ${intoOutbox(call.by)}
    id, 'events.clusters.deleted', jsonb_build_object('workspace_id', workspace_id) from deleted
    returning id`
  if (removed.length > 0) eventWritten()
  return removed.length > 0
}
