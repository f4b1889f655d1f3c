import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { type PackageVersionRow, versionColumns } from './package-columns.ts'

export const getPackageVersion: Handler<typeof offers.operations.get_package_version, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<PackageVersionRow>`/* offers.get_package_version */
    select ${versionColumns}, input_schema, instructions
    from package_versions where workspace_id = ${workspace} and id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: withSchema(found) }
}

export const withSchema = (row: PackageVersionRow) => ({
  ...row,
  input_schema: JSON.parse(row.input_schema) as Record<string, unknown>,
})
