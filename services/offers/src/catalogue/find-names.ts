import type { Handler } from '@svc/contract/core/operation'
import type { offers } from '@svc/contract/offers/offers'
import { namesReply } from '@svc/runtime/names-reply'
import type { Deps } from '../deps.ts'

/** Offers and installs are called as what they are of, orders by their reference. */
export const findNames: Handler<typeof offers.operations.find_names, Deps> = async (
  { body: { ids } },
  { workspace },
  { sql },
) =>
  namesReply(
    await sql<{ id: string; name: string }>`/* offers.find_names */
      with wanted as materialized (select unnest(${ids}::text[]) as id)
      select id, name from packages join wanted using (id) where workspace_id = ${workspace}
      union all
      select v.id, k.name || ' ' || v.version from package_versions v join wanted using (id)
      join packages k on k.id = v.package_id where v.workspace_id = ${workspace}
      union all
      select id, name from products join wanted using (id) where workspace_id = ${workspace}
      union all
      select id, name from offer_channels join wanted using (id) where workspace_id = ${workspace}
      union all
      select o.id, coalesce(p.name, k.name) from offers o join wanted using (id)
      join package_versions v on v.id = o.package_version_id join packages k on k.id = v.package_id
      left join products p on p.id = o.product_id
      where o.workspace_id = ${workspace}
      union all
      select id, order_reference(id) from orders join wanted using (id)
      where ${workspace} in (workspace_id, customer_workspace_id)
      union all
      select i.id, coalesce(p.name, k.name) from installs i join wanted using (id)
      join package_versions v on v.id = i.package_version_id join packages k on k.id = v.package_id
      left join products p on p.id = i.product_id
      where ${workspace} in (i.workspace_id, i.customer_workspace_id)`,
  )
