import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { productColumns, type ProductRow } from './product-columns.ts'

export const getProduct: Handler<typeof offers.operations.get_product, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<ProductRow>`/* offers.get_product */
    select ${productColumns}
    from products where workspace_id = ${workspace} and id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: found }
}
