import type { compute } from '@svc/contract/compute/compute'
import { bareError } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

/** Every request of an agent carries the key of its secret: once this returns, none is accepted. */
export const revokeAgentSecret: Handler<typeof compute.operations.revoke_agent_secret, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [cluster] = await sql`/* compute.revoke_agent_secret */
    with cluster as (
      select id from clusters where workspace_id = ${workspace} and id = ${id}
    ), revoked as (
      delete from agent_secrets s using cluster where s.cluster_id = cluster.id
    )
    select id from cluster`
  if (!cluster) throw bareError('ClusterNotFoundError')
  return { body: undefined }
}
