import type { Caller } from './caller.ts'
import { idBefore, type Page, type PageQuery, pageOf } from './page.ts'
import type { Pool } from './pool.ts'

export interface Install {
  id: string
  state: string
  workspace_id: string
  seller_workspace_id: string
  offer_id: string
  order_id: string
  product_id: string | null
  package_version_id: string
  cluster_id: string | null
  field_values: Record<string, unknown>
  created_at: number
}

export async function listInstalls(pool: Pool, caller: Caller, query: PageQuery): Promise<Page<Install>> {
  const sql = pool.next()
  const rows = await sql<Install[]>`
    select id, state, customer_workspace_id as workspace_id, workspace_id as seller_workspace_id, offer_id, order_id,
      product_id, package_version_id, cluster_id, field_values,
      floor(extract(epoch from created_at))::float8 as created_at
    from offers.installs
    where customer_workspace_id = ${caller.workspace} and id < ${idBefore(query, 'inst')}
    order by id desc
    limit ${query.limit + 1}`
  return pageOf(rows, query)
}
