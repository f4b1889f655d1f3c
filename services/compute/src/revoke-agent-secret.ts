import type { compute } from '@svc/contract/compute'
import { bareError } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** Whatever an agent asks, is asked with its secret's key: from the reply on there is none that is accepted. */
export const revokeAgentSecret: Handler<typeof compute.operations.revoke_agent_secret, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [cluster] = await sql`
    with cluster as (
      select id from clusters where workspace_id = ${workspace} and id = ${id}
    ), revoked as (
      delete from agent_secrets s using cluster where s.cluster_id = cluster.id
    )
    select id from cluster`
  if (!cluster) throw bareError('ClusterNotFoundError')
  return { body: undefined }
}
