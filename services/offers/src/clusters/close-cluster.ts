import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

/**
 * Called by compute, which removes closed clusters. A closed cluster stays closed, however often this is
 * called.
 */
export const closeCluster: Handler<typeof offers.operations.close_cluster, Deps> = async (
  { body: { cluster_id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<{ install: string | null; order: string | null }>`/* offers.close_cluster */
    select used_install as install, used_order as order from close_cluster(${workspace}, ${cluster_id})`
  const uses = Object.entries(found ?? {}).filter(([, id]) => id !== null)
  return { body: { used_by: Object.fromEntries(uses) as Record<string, string> } }
}
