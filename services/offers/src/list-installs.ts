import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from './deps.ts'

interface Row {
  id: string
  offer_id: string
  product_id: string | null
  package_version_id: string
  state: string
  created_at: number
}

export const listInstalls: Handler<typeof offers.operations.list_installs, Deps> = async (
  { query: { limit, cursor } },
  caller,
  { sql },
) => {
  const after = afterCursor(cursor, 'inst')
  const rows = await sql<Row>`
    select id, offer_id, product_id, package_version_id, state,
      floor(extract(epoch from created_at))::bigint as created_at
    from installs
    where workspace_id = ${caller.workspace} and id < coalesce(${after}, 'j')
    order by id desc
    limit ${limit + 1}`
  return { body: pageOf(rows, limit) }
}
