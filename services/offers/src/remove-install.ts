import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { type Install, installOf } from './read-installs.ts'

/** The first removal decides the time, of however many at once. From its reply on nothing of it refers to a cluster. */
export const removeInstall: Handler<typeof offers.operations.remove_install, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now, eventWritten },
) => {
  const [removed] = await sql<Install>`
    select id, state, customer_workspace_id as workspace_id, workspace_id as seller_workspace_id, offer_id, order_id,
      product_id, package_version_id, cluster_id, field_values, floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from removed_at))::bigint as removed_at
    from remove_install(${workspace}, ${id}, ${now()})`
  if (!removed) throw refusal('not_found')
  eventWritten()
  return { body: installOf(removed) }
}
