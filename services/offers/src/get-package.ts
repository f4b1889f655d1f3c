import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export interface PackageRow {
  id: string
  name: string
  created_at: number
}

export const getPackage: Handler<typeof offers.operations.get_package, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<PackageRow>`
    select id, name, floor(extract(epoch from created_at))::bigint as created_at
    from packages where workspace_id = ${workspace} and id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: found }
}
