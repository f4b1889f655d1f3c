import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import type { PackageRow } from './get-package.ts'

export const updatePackage: Handler<typeof offers.operations.update_package, Deps> = async (
  { params: { id }, body: { name } },
  { workspace },
  { sql, eventWritten },
) => {
  const [changed] = await sql<PackageRow>`
    with target as materialized (
      select id, name from packages where workspace_id = ${workspace} and id = ${id} for no key update
    ), changed as (
      update packages p set name = ${name} from target t where p.id = t.id
      returning p.*, p.name <> t.name as differs
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.packages.updated', json_build_object('workspace_id', workspace_id)
      from changed where differs
    )
    select id, name, floor(extract(epoch from created_at))::bigint as created_at from changed`
  if (!changed) throw refusal('not_found')
  eventWritten()
  return { body: changed }
}
