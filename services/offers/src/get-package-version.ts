import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export interface PackageVersionRow {
  id: string
  package_id: string
  version: string
  created_at: number
  /** Its text. */
  input_schema: string
}

export const getPackageVersion: Handler<typeof offers.operations.get_package_version, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<PackageVersionRow>`
    select id, package_id, version, floor(extract(epoch from created_at))::bigint as created_at, input_schema
    from package_versions where workspace_id = ${workspace} and id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: withSchema(found) }
}

export const withSchema = (row: PackageVersionRow) => ({
  ...row,
  input_schema: JSON.parse(row.input_schema) as Record<string, unknown>,
})
