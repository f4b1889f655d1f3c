import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** In whatever workspace: the cluster is the customer's, what refers to it is the seller's. */
export const findUsesOfCluster: Handler<typeof offers.operations.find_uses_of_cluster, Deps> = async (
  { body: { cluster_id } },
  _caller,
  { sql, now },
) => {
  const [found] = await sql<{ install: string | null; order: string | null }>`
    select
      (select id from installs where cluster_id = ${cluster_id} limit 1) as install,
      (
        select o.id from orders o
        where o.cluster_id = ${cluster_id}
          and order_state(o, ${now()}) in ('open', 'awaiting_approval', 'awaiting_checkout')
        limit 1
      ) as order`
  const uses = Object.entries(found ?? {}).filter(([, id]) => id !== null)
  return { body: { used_by: Object.fromEntries(uses) as Record<string, string> } }
}
