import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { packageColumns, type PackageRow } from './package-columns.ts'

export const getPackage: Handler<typeof offers.operations.get_package, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<PackageRow>`/* offers.get_package */
    select ${packageColumns}
    from packages where workspace_id = ${workspace} and id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: found }
}
