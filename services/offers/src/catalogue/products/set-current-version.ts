import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../../deps.ts'
import { productEvent, productFields } from './product-columns.ts'

export const setCurrentVersion: Handler<typeof offers.operations.set_current_version, Deps> = async (
  { body: { product_id, package_version_id } },
  { workspace },
  { sql, eventWritten, call },
) => {
  const [row] = await sql`/* offers.set_current_version */
    with target as materialized (
      select p.id, ${productFields} as previous, (
        select v.id from package_versions v
        where v.workspace_id = p.workspace_id and v.package_id = p.package_id and v.id = ${package_version_id}
      ) as version
      from products p where p.workspace_id = ${workspace} and p.id = ${product_id}
      for no key update
    ), moved as (
      update products p set current_version_id = t.version
      from target t where p.id = t.id and t.version is not null
      returning p.*, t.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(productFields))}
      id, 'events.products.updated', ${productEvent}
      from moved where previous <> ${productFields}
    )
    select id from moved`
  if (!row) {
    throw refusal('unknown_reference', {
      path: ['package_version_id'],
      message: 'There is no such product in this workspace, or its package has no such version.',
    })
  }
  eventWritten()
  return { body: { id: product_id } }
}
