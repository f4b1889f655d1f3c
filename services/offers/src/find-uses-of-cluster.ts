import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/**
 * Of the workspace that has the cluster, as a customer: an order may name any cluster before compute was asked for it.
 * One snapshot, since an order under way becomes an install. As it is written down and by no clock, since that of another
 * replica may say that the order goes on.
 */
export const findUsesOfCluster: Handler<typeof offers.operations.find_uses_of_cluster, Deps> = async (
  { body: { cluster_id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<{ install: string | null; order: string | null }>`
    select
      (
        select id from installs
        where customer_workspace_id = ${workspace} and cluster_id = ${cluster_id} and removed_at is null
        limit 1
      ) as install,
      (
        select id from orders
        where customer_workspace_id = ${workspace} and cluster_id = ${cluster_id}
          and state in ('open', 'awaiting_approval', 'awaiting_checkout')
        limit 1
      ) as order`
  const uses = Object.entries(found ?? {}).filter(([, id]) => id !== null)
  return { body: { used_by: Object.fromEntries(uses) as Record<string, string> } }
}
