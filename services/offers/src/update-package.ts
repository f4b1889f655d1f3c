import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import type { PackageRow } from './get-package.ts'

export const updatePackage: Handler<typeof offers.operations.update_package, Deps> = async (
  { params: { id }, body: { name } },
  { workspace },
  { sql },
) => {
  const [changed] = await sql<PackageRow>`
    update packages set name = ${name} where workspace_id = ${workspace} and id = ${id}
    returning id, name, floor(extract(epoch from created_at))::bigint as created_at`
  if (!changed) throw refusal('not_found')
  return { body: changed }
}
