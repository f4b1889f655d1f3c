import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from './deps.ts'
import type { ProductRow } from './get-product.ts'

export const listProducts: Handler<typeof offers.operations.list_products, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<ProductRow>`
    select id, name, package_id, current_version_id as current_package_version_id,
      floor(extract(epoch from created_at))::bigint as created_at
    from products
    where workspace_id = ${workspace} and id < ${afterCursor(cursor, 'prod')}
    order by id desc
    limit ${limit + 1}`
  return { body: pageOf(rows, limit) }
}
