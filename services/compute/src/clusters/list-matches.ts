import type { compute } from '@svc/contract/compute/compute'
import type { Handler } from '@svc/contract/core/operation'
import { maxNames, type Named, nameMatches } from '@svc/runtime/name-matches'
import type { Deps } from '../deps.ts'

export const listMatches: Handler<typeof compute.operations.list_matches, Deps> = async (
  { body: { words } },
  { workspace },
  { sql },
) => {
  const clusters = await sql<Named>`/* compute.list_cluster_names */
    select id, name from clusters where workspace_id = ${workspace} order by id desc limit ${maxNames}`
  return { body: nameMatches('cluster', words, clusters) }
}
