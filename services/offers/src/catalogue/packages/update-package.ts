import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../../deps.ts'
import { packageColumns, packageFields, type PackageRow } from './package-columns.ts'

export const updatePackage: Handler<typeof offers.operations.update_package, Deps> = async (
  { params: { id }, body: { name } },
  { workspace },
  { sql, eventWritten, call },
) => {
  const [changed] = await sql<PackageRow>`/* offers.update_package */
    with target as materialized (
      select id, ${packageFields} as previous from packages where workspace_id = ${workspace} and id = ${id} for no key update
    ), changed as (
      update packages p set name = ${name} from target t where p.id = t.id
      returning p.*, t.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(packageFields))}
      id, 'events.packages.updated', json_build_object('workspace_id', workspace_id)
      from changed where previous <> ${packageFields}
    )
    select ${packageColumns} from changed`
  if (!changed) throw refusal('not_found')
  eventWritten()
  return { body: changed }
}
