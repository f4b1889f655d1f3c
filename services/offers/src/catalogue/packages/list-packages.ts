import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../../deps.ts'
import { packageColumns, type PackageRow } from './package-columns.ts'

export const listPackages: Handler<typeof offers.operations.list_packages, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<PackageRow>`/* offers.list_packages */
    select ${packageColumns}
    from packages
    where workspace_id = ${workspace} and id < ${afterCursor(cursor, 'pkg')}
    order by id desc
    limit ${limit + 1}`
  return { body: pageOf(rows, limit) }
}
