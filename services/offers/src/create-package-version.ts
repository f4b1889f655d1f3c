import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { newId } from '@svc/runtime/id'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import { checkSchema } from './check-schema.ts'
import type { Deps } from './deps.ts'
import { type PackageVersionRow, withSchema } from './get-package-version.ts'

/** The name of a version is given once in its package: the same content again, of a retry, answers what is there. */
export const createPackageVersion: Handler<typeof offers.operations.create_package_version, Deps> = async (
  { params: { id: package_id }, body: { version, input_schema } },
  { workspace },
  { sql, schemas, now, eventWritten },
) => {
  const { schema_text, hash } = await checkSchema(schemas, input_schema, workspace)
  const id = newId('pkgv')
  const [row] = await sql<PackageVersionRow & { same: boolean }>`
    with published as (
      insert into package_versions as v (
        id, workspace_id, package_id, version, input_schema, schema_hash, created_at
      )
      select ${id}, p.workspace_id, p.id, ${version}, ${schema_text}, ${hash},
        to_timestamp(${Math.floor(now() / 1000)})
      from packages p where p.workspace_id = ${workspace} and p.id = ${package_id}
      on conflict (package_id, version) do update set version = excluded.version
      returning v.*
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.package_versions.created',
        json_build_object('workspace_id', workspace_id, 'package_id', package_id)
      from published where id = ${id}
    )
    select id, package_id, version, floor(extract(epoch from created_at))::bigint as created_at,
      input_schema, schema_hash = ${hash} as same
    from published`.catch(error => {
    // Deleted meanwhile.
    throw sqlstate(error) === foreignKeyViolation ? refusal('not_found') : error
  })
  if (!row) throw refusal('not_found')
  const { same, ...published } = row
  if (!same) {
    throw refusal('already_exists', {
      path: ['version'],
      message:
        'This version is published already, with another input schema. Versions are immutable: name a new one.',
      metadata: { id: published.id },
    })
  }
  eventWritten()
  return { body: withSchema(published) }
}
