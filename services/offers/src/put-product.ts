import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import type { Deps } from './deps.ts'
import { upsert } from './upsert.ts'

export const putProduct: Handler<typeof offers.operations.put_product, Deps> = async (
  { body: { id, name, package_id } },
  { workspace },
  { sql },
) => {
  const [row] = await upsert(
    () => sql`
    insert into products (id, workspace_id, name, package_id)
    values (${id}, ${workspace}, ${name}, ${package_id})
    on conflict (id) do update set name = excluded.name
      where products.workspace_id = excluded.workspace_id and products.package_id = excluded.package_id
    returning id`,
  ).catch(error => {
    throw sqlstate(error) === foreignKeyViolation
      ? refusal('unknown_reference', { path: ['package_id'] })
      : error
  })
  if (!row) throw refusal('already_exists', { path: ['id'] })
  return { body: { id } }
}
