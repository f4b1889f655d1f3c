import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { type Install, installOf } from './read-installs.ts'

export const getInstall: Handler<typeof offers.operations.get_install, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<Install>`
    select id, state, customer_workspace_id as workspace_id, workspace_id as seller_workspace_id, offer_id, order_id,
      product_id, package_version_id, cluster_id, field_values, floor(extract(epoch from created_at))::bigint as created_at,
      floor(extract(epoch from removed_at))::bigint as removed_at
    from installs where id = ${id} and ${workspace} in (workspace_id, customer_workspace_id)`
  if (!found) throw refusal('not_found')
  return { body: installOf(found) }
}
