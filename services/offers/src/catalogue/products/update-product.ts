import { envelopeError, refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { currentVersionProblem } from '../catalogue-problems.ts'
import type { Deps } from '../../deps.ts'
import { productEvent, productFields, type ProductRow } from './product-columns.ts'

interface UpdateProductResult extends ProductRow {
  changed: boolean
  package_id: string
  version_package: string | null
}

/** Statements that create offers verify that the version is still the current one. */
export const updateProduct: Handler<typeof offers.operations.update_product, Deps> = async (
  { params: { id }, body },
  { workspace },
  { sql, eventWritten, call },
) => {
  const { name = null, current_package_version_id: version = null } = body
  const moves = body.current_package_version_id !== undefined
  const [outcome] = await sql<UpdateProductResult>`/* offers.update_product */
    with target as materialized (
      select p.id, p.package_id, ${productFields} as previous, (
        select v.package_id from package_versions v where v.workspace_id = p.workspace_id and v.id = ${version}
      ) as version_package
      from products p where p.workspace_id = ${workspace} and p.id = ${id}
      for no key update
    ), changed as (
      update products p set
        name = coalesce(${name}, p.name),
        current_version_id = case when ${moves} then ${version} else p.current_version_id end
      from target t
      where p.id = t.id and (${version}::text is null or t.version_package = t.package_id)
      returning p.*, t.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(productFields))}
      id, 'events.products.updated', ${productEvent}
      from changed where previous <> ${productFields}
    )
    select t.package_id, t.version_package, c.id is not null as changed, t.id, c.name,
      c.current_version_id as current_package_version_id,
      unix_seconds(c.created_at) as created_at
    from target t left join changed c on true`
  if (!outcome) throw refusal('not_found')
  const problems = currentVersionProblem(version, outcome)
  if (problems.length > 0) throw envelopeError('Unprocessable', problems)
  const { changed, version_package, ...product } = outcome
  if (!changed) throw refusal('not_found')
  eventWritten()
  return { body: product }
}
