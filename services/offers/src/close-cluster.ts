import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** Asked by compute, which removes what is closed. A cluster that is closed stays so, however often it is asked. */
export const closeCluster: Handler<typeof offers.operations.close_cluster, Deps> = async (
  { body: { cluster_id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<{ install: string | null; order: string | null }>`
    select used_install as install, used_order as order from close_cluster(${workspace}, ${cluster_id})`
  const uses = Object.entries(found ?? {}).filter(([, id]) => id !== null)
  return { body: { used_by: Object.fromEntries(uses) as Record<string, string> } }
}
