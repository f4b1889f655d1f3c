import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../../deps.ts'
import { productColumns, type ProductRow } from './product-columns.ts'

export const listProducts: Handler<typeof offers.operations.list_products, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<ProductRow>`/* offers.list_products */
    select ${productColumns}
    from products
    where workspace_id = ${workspace} and id < ${afterCursor(cursor, 'prod')}
    order by id desc
    limit ${limit + 1}`
  return { body: pageOf(rows, limit) }
}
