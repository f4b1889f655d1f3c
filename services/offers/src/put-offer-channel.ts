import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import type { Deps } from './deps.ts'
import { upsert } from './upsert.ts'

export const putOfferChannel: Handler<typeof offers.operations.put_offer_channel, Deps> = async (
  { body: { id, product_id, name, status } },
  { workspace },
  { sql },
) => {
  const [row] = await upsert(
    () => sql`
    insert into offer_channels as c (id, workspace_id, product_id, name, status)
    values (${id}, ${workspace}, ${product_id}, ${name}, ${status})
    on conflict (id) do update set name = excluded.name, status = excluded.status
      where c.workspace_id = excluded.workspace_id and c.product_id = excluded.product_id
    returning id`,
  ).catch(error => {
    throw sqlstate(error) === foreignKeyViolation
      ? refusal('unknown_reference', { path: ['product_id'] })
      : error
  })
  if (!row) throw refusal('already_exists', { path: ['id'] })
  return { body: { id } }
}
