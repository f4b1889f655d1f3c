import { envelopeError, refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import { currentVersionProblem, unknownReference } from '../catalogue-problems.ts'
import type { Deps } from '../../deps.ts'
import { productEvent } from './product-columns.ts'

interface CreateProductResult {
  package_id: string | null
  version_package: string | null
}

export const createProduct: Handler<typeof offers.operations.create_product, Deps> = async (
  { body: { name, package_id, current_package_version_id = null } },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const id = newId('prod')
  const created_at = Math.floor(now() / 1000)
  const [found] = await sql<CreateProductResult>`/* offers.create_product */
    with wanted as materialized (
      select (
        select id from packages where workspace_id = ${workspace} and id = ${package_id}
      ) as package_id, (
        select package_id from package_versions
        where workspace_id = ${workspace} and id = ${current_package_version_id}
      ) as version_package
    ), created as (
      insert into products (id, workspace_id, name, package_id, current_version_id, created_at)
      select ${id}, ${workspace}, ${name}, package_id, ${current_package_version_id}, to_timestamp(${created_at})
      from wanted
      where package_id is not null
        and (${current_package_version_id}::text is null or version_package = package_id)
      returning id, workspace_id, package_id, current_version_id
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.products.created', ${productEvent}
      from created
    )
    select package_id, version_package from wanted`.catch(error => {
    // Deleted in the meantime.
    if (sqlstate(error) === foreignKeyViolation) throw refusal('unknown_reference', { path: ['package_id'] })
    throw error
  })
  const problems = [
    ...(found?.package_id ? [] : [unknownReference('package_id', 'package')]),
    ...currentVersionProblem(current_package_version_id, found),
  ]
  if (problems.length > 0) throw envelopeError('Unprocessable', problems)
  eventWritten()
  return { body: { id, name, package_id, current_package_version_id, created_at } }
}
