import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { createdOrReplayed, type CreatedRow, creationKey, orCreated } from '@svc/runtime/creation-key'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../../deps.ts'
import { packageColumns, type PackageRow } from './package-columns.ts'

export const createPackage: Handler<typeof offers.operations.create_package, Deps> = async (
  { headers, body },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const id = newId('pkg')
  const key = creationKey(headers, body)
  const [row] = await sql<PackageRow & CreatedRow>`/* offers.create_package */
    with created as (
      insert into packages (id, workspace_id, name, created_at, creation_key, creation_intent)
      values (
        ${id}, ${workspace}, ${body.name}, to_timestamp(${Math.floor(now() / 1000)}), ${key.key}, ${key.intent}
      )
      ${orCreated}
      returning *
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.packages.created', json_build_object('workspace_id', workspace_id) from created where id = ${id}
    )
    select ${packageColumns}, creation_intent from created`
  const { resource, headers: replied } = createdOrReplayed(row, id, key)
  eventWritten()
  return { body: resource, headers: replied }
}
