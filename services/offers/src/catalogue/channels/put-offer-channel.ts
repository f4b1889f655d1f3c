import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import { channelFields } from './channel-columns.ts'
import type { Deps } from '../../deps.ts'
import { turnOf, upsert } from '../upsert.ts'

export const putOfferChannel: Handler<typeof offers.operations.put_offer_channel, Deps> = async (
  { body: { id, product_id, name, status } },
  { workspace },
  { sql, eventWritten, call },
) => {
  const [row] = await upsert(
    () => sql`/* offers.put_offer_channel */
    with ${turnOf(id)}, before as materialized (
      select ${channelFields} as previous from turn, offer_channels where workspace_id = ${workspace} and id = ${id}
      for no key update of offer_channels
    ), put as (
      insert into offer_channels as c (id, workspace_id, product_id, name, status)
      select ${id}, ${workspace}, ${product_id}, ${name}, ${status} from turn left join before on true
      on conflict (id) do update set name = excluded.name, status = excluded.status
        where c.workspace_id = excluded.workspace_id and c.product_id = excluded.product_id
      returning c.*, xmax = 0 as is_new
    ), event as (
      ${intoOutbox(call.by, changesOf(channelFields))}
      id, case when is_new then 'events.offer_channels.created' else 'events.offer_channels.updated' end,
        json_build_object('workspace_id', workspace_id, 'product_id', product_id, 'status', status)
      from put left join before on true
      where is_new or previous is distinct from ${channelFields}
    )
    select id from put`,
  ).catch(error => {
    throw sqlstate(error) === foreignKeyViolation
      ? refusal('unknown_reference', { path: ['product_id'] })
      : error
  })
  if (!row) throw refusal('already_exists', { path: ['id'] })
  eventWritten()
  return { body: { id } }
}
