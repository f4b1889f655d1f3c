import type { Caller } from './caller.ts'
import { idBefore, type Page, type PageQuery, pageOf } from './page.ts'
import type { Pool } from './pool.ts'

export interface Install {
  id: string
  offer_id: string
  product_id: string | null
  package_version_id: string
  state: string
  created_at: number
}

export async function listInstalls(pool: Pool, caller: Caller, query: PageQuery): Promise<Page<Install>> {
  const sql = pool.next()
  const rows = await sql<Install[]>`
    select id, offer_id, product_id, package_version_id, state,
      floor(extract(epoch from created_at))::float8 as created_at
    from offers.installs
    where workspace_id = ${caller.workspace} and id < ${idBefore(query, 'inst')}
    order by id desc
    limit ${query.limit + 1}`
  return pageOf(rows, query)
}
