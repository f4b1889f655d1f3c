import type { compute } from '@svc/contract/compute/compute'
import { bareError } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'

/** Every request of an agent carries the key of its secret: once this returns, none is accepted. */
export const revokeAgentSecret: Handler<typeof compute.operations.revoke_agent_secret, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, eventWritten, call },
) => {
  const [cluster] = await sql`/* compute.revoke_agent_secret */
    with cluster as (
      select id from clusters where workspace_id = ${workspace} and id = ${id} for no key update
    ), revoked as (
      delete from agent_secrets s using cluster where s.cluster_id = cluster.id returning s.cluster_id
    ), event as (
      ${intoOutbox(call.by)} cluster_id, 'events.clusters.agent_secret_revoked',
        jsonb_build_object('workspace_id', ${workspace}::text)
      from (select distinct cluster_id from revoked) ended
    )
    select id from cluster`
  if (!cluster) throw bareError('ClusterNotFoundError')
  eventWritten()
  return { body: undefined }
}
