import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from './deps.ts'
import type { PackageRow } from './get-package.ts'

export const listPackages: Handler<typeof offers.operations.list_packages, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<PackageRow>`
    select id, name, floor(extract(epoch from created_at))::bigint as created_at
    from packages
    where workspace_id = ${workspace} and id < ${afterCursor(cursor, 'pkg')}
    order by id desc
    limit ${limit + 1}`
  return { body: pageOf(rows, limit) }
}
