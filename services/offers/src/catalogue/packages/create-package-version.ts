import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import { checkPlaceholders } from '../../instructions/check-placeholders.ts'
import { checkSchema } from './check-schema.ts'
import type { Deps } from '../../deps.ts'
import { withSchema } from './get-package-version.ts'
import { type PackageVersionRow, versionColumns } from './package-columns.ts'

export const createPackageVersion: Handler<typeof offers.operations.create_package_version, Deps> = async (
  { params: { id: package_id }, body: { version, input_schema, instructions = null } },
  { workspace },
  { sql, schemas, now, eventWritten, call },
) => {
  const { schema_text, hash } = await checkSchema(schemas, input_schema, workspace)
  if (instructions !== null) checkPlaceholders(instructions, input_schema)
  const id = newId('pkgv')
  const [row] = await sql<PackageVersionRow & { same: boolean }>`/* offers.create_package_version */
    with published as (
      insert into package_versions as v (
        id, workspace_id, package_id, version, input_schema, schema_hash, instructions, created_at
      )
      -- Older ones are as they were typed.
      select ${id}, p.workspace_id, p.id, coalesce(
          (select version from package_versions where package_id = p.id and normalize(version) = ${version} limit 1),
          ${version}
        ), ${schema_text}, ${hash}, ${instructions}::text, to_timestamp(${Math.floor(now() / 1000)})
      from packages p where p.workspace_id = ${workspace} and p.id = ${package_id}
      on conflict (package_id, version) do update set version = excluded.version
      returning v.*
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.package_versions.created',
        json_build_object('workspace_id', workspace_id, 'package_id', package_id)
      from published where id = ${id}
    )
    select ${versionColumns},
      input_schema, instructions,
      schema_hash = ${hash} and instructions is not distinct from ${instructions}::text as same
    from published`.catch(error => {
    // Deleted in the meantime.
    throw sqlstate(error) === foreignKeyViolation ? refusal('not_found') : error
  })
  if (!row) throw refusal('not_found')
  const { same, ...published } = row
  if (!same) {
    throw refusal('already_exists', {
      path: ['version'],
      message:
        'This version is already published with another input schema or other instructions. Versions are immutable: publish a new one.',
      metadata: { id: published.id },
    })
  }
  eventWritten()
  return { body: withSchema(published) }
}
