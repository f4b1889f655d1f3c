import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** In whatever workspace: the cluster is the customer's, what refers to it is the seller's. */
export const findUsesOfCluster: Handler<typeof offers.operations.find_uses_of_cluster, Deps> = async (
  { body: { cluster_id } },
  _caller,
  { sql },
) => {
  const [install] = await sql<{
    id: string
  }>`select id from installs where cluster_id = ${cluster_id} limit 1`
  const used_by: Record<string, string> = install ? { install: install.id } : {}
  return { body: { used_by } }
}
