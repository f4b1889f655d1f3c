import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../../deps.ts'
import { type PackageVersionRow, versionColumns } from './package-columns.ts'

type Row = Omit<PackageVersionRow, 'input_schema' | 'instructions'>

export const listPackageVersions: Handler<typeof offers.operations.list_package_versions, Deps> = async (
  { params: { id }, query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<Row | { id: null }>`/* offers.list_package_versions */
    select v.*
    from packages p left join lateral (
      select ${versionColumns}
      from package_versions
      where workspace_id = p.workspace_id and package_id = p.id and id < ${afterCursor(cursor, 'pkgv')}
      order by id desc
      limit ${limit + 1}
    ) v on true
    where p.workspace_id = ${workspace} and p.id = ${id}
    order by v.id desc`
  if (rows.length === 0) throw refusal('not_found')
  const versions = rows.filter((row): row is Row => row.id !== null)
  return { body: pageOf(versions, limit) }
}
