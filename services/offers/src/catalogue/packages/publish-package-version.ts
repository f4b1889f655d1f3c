import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { foreignKeyViolation, sqlstate, uniqueViolation } from '@svc/runtime/sqlstate'
import { checkSchema } from './check-schema.ts'
import type { Deps } from '../../deps.ts'
import { turnOf, upsert } from '../upsert.ts'

interface Row {
  same: boolean
}

/** Immutable: the same content again is accepted, any other is refused. */
export const publishPackageVersion: Handler<typeof offers.operations.publish_package_version, Deps> = async (
  { body: { id, package_id, version, input_schema } },
  { workspace },
  { sql, schemas, eventWritten, call },
) => {
  const checked = await checkSchema(schemas, input_schema, workspace)
  const [row] = await upsert(
    () => sql<Row>`/* offers.publish_package_version */
    with ${turnOf(id)}, published as (
      insert into package_versions as v (id, workspace_id, package_id, version, input_schema, schema_hash)
      select ${id}, ${workspace}, ${package_id}, ${version}, ${checked.schema_text}, ${checked.hash} from turn
      on conflict (id) do update set id = excluded.id
      returning v.*, xmax = 0 as is_new
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.package_versions.created',
        json_build_object('workspace_id', workspace_id, 'package_id', package_id)
      from published where is_new
    )
    select (workspace_id, package_id, normalize(version), schema_hash)
      = (${workspace}, ${package_id}, ${version}, ${checked.hash}) as same
    from published`,
  ).catch(error => {
    if (sqlstate(error) === foreignKeyViolation) throw refusal('unknown_reference', { path: ['package_id'] })
    if (sqlstate(error) === uniqueViolation) throw refusal('already_exists', { path: ['version'] })
    throw error
  })
  if (!row?.same) throw refusal('already_exists', { path: ['id'] })
  eventWritten()
  return { body: { id } }
}
