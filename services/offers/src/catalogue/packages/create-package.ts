import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../../deps.ts'

export const createPackage: Handler<typeof offers.operations.create_package, Deps> = async (
  { body: { name } },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const created = { id: newId('pkg'), name, created_at: Math.floor(now() / 1000) }
  await sql`/* offers.create_package */
    with created as (
      insert into packages (id, workspace_id, name, created_at)
      values (${created.id}, ${workspace}, ${name}, to_timestamp(${created.created_at}))
      returning id, workspace_id
    )
    ${intoOutbox(call.by)}
    id, 'events.packages.created', json_build_object('workspace_id', workspace_id) from created`
  eventWritten()
  return { body: created }
}
