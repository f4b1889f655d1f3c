import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import { channelEvent } from './channel-columns.ts'
import type { Deps } from '../../deps.ts'

export const createOfferChannel: Handler<typeof offers.operations.create_offer_channel, Deps> = async (
  { body: { product_id, name, status } },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const id = newId('och')
  const created_at = Math.floor(now() / 1000)
  await sql`/* offers.create_offer_channel */
    with created as (
      insert into offer_channels (id, workspace_id, product_id, name, status, created_at)
      values (${id}, ${workspace}, ${product_id}, ${name}, ${status}, to_timestamp(${created_at}))
      returning id, workspace_id, product_id, status
    )
    ${intoOutbox(call.by)}
    id, 'events.offer_channels.created',
      ${channelEvent}
    from created`.catch(error => {
    throw sqlstate(error) === foreignKeyViolation
      ? refusal('unknown_reference', { path: ['product_id'] })
      : error
  })
  eventWritten()
  return { body: { id, product_id, name, status, active_policy: null, created_at } }
}
