import { envelopeError, refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { createdOrReplayed, type CreatedRow, creationKey, orCreated } from '@svc/runtime/creation-key'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import { currentVersionProblem, unknownReference } from '../catalogue-problems.ts'
import type { Deps } from '../../deps.ts'
import { productColumns, productEvent, type ProductRow } from './product-columns.ts'

type CreateProductResult = {
  wanted_package: string | null
  version_package: string | null
} & ((ProductRow & CreatedRow) | { id: null })

export const createProduct: Handler<typeof offers.operations.create_product, Deps> = async (
  { headers, body },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const id = newId('prod')
  const { name, package_id, current_package_version_id = null } = body
  const key = creationKey(headers, { ...body, current_package_version_id })
  const [found] = await sql<CreateProductResult>`/* offers.create_product */
    with wanted as materialized (
      select (
        select id from packages where workspace_id = ${workspace} and id = ${package_id}
      ) as wanted_package, (
        select package_id from package_versions
        where workspace_id = ${workspace} and id = ${current_package_version_id}
      ) as version_package
    ), created as (
      insert into products (
        id, workspace_id, name, package_id, current_version_id, created_at, creation_key, creation_intent
      )
      select ${id}, ${workspace}, ${name}, wanted_package, ${current_package_version_id},
        to_timestamp(${Math.floor(now() / 1000)}), ${key.key}, ${key.intent}
      from wanted
      where wanted_package is not null
        and (${current_package_version_id}::text is null or version_package = wanted_package)
      ${orCreated}
      returning *
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.products.created', ${productEvent}
      from created where id = ${id}
    )
    select wanted_package, version_package, c.* from wanted
    left join (select ${productColumns}, creation_intent from created) c on true`.catch(error => {
    // Deleted in the meantime.
    if (sqlstate(error) === foreignKeyViolation) throw refusal('unknown_reference', { path: ['package_id'] })
    throw error
  })
  if (!found) throw new Error('the statement returned no row')
  const { wanted_package, version_package, ...row } = found
  const problems = [
    ...(wanted_package ? [] : [unknownReference('package_id', 'package')]),
    ...currentVersionProblem(current_package_version_id, { package_id: wanted_package, version_package }),
  ]
  if (problems.length > 0 || row.id === null) throw envelopeError('Unprocessable', problems)
  const { resource, headers: replied } = createdOrReplayed(row, id, key)
  eventWritten()
  return { body: resource, headers: replied }
}
