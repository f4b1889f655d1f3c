import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import type { Deps } from '../../deps.ts'
import { productEvent, productFields } from './product-columns.ts'
import { turnOf, upsert } from '../upsert.ts'

export const putProduct: Handler<typeof offers.operations.put_product, Deps> = async (
  { body: { id, name, package_id } },
  { workspace },
  { sql, eventWritten, call },
) => {
  const [row] = await upsert(
    () => sql`/* offers.put_product */
    with ${turnOf(id)}, before as materialized (
      select ${productFields} as previous from turn, products where workspace_id = ${workspace} and id = ${id} for no key update of products
    ), put as (
      insert into products as p (id, workspace_id, name, package_id)
      select ${id}, ${workspace}, ${name}, ${package_id} from turn left join before on true
      on conflict (id) do update set name = excluded.name
        where p.workspace_id = excluded.workspace_id and p.package_id = excluded.package_id
      returning p.*, xmax = 0 as is_new
    ), event as (
      ${intoOutbox(call.by, changesOf(productFields))}
      id, case when is_new then 'events.products.created' else 'events.products.updated' end, ${productEvent}
      from put left join before on true
      where is_new or previous is distinct from ${productFields}
    )
    select id from put`,
  ).catch(error => {
    throw sqlstate(error) === foreignKeyViolation
      ? refusal('unknown_reference', { path: ['package_id'] })
      : error
  })
  if (!row) throw refusal('already_exists', { path: ['id'] })
  eventWritten()
  return { body: { id } }
}
