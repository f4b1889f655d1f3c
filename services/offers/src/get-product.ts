import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export interface ProductRow {
  id: string
  name: string
  package_id: string
  current_package_version_id: string | null
  created_at: number
}

export const getProduct: Handler<typeof offers.operations.get_product, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<ProductRow>`
    select id, name, package_id, current_version_id as current_package_version_id,
      floor(extract(epoch from created_at))::bigint as created_at
    from products where workspace_id = ${workspace} and id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: found }
}
