import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { createdOrReplayed, type CreatedRow, creationKey, orCreated } from '@svc/runtime/creation-key'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { foreignKeyViolation, sqlstate } from '@svc/runtime/sqlstate'
import { channelColumns, channelEvent, type OfferChannelRow } from './channel-columns.ts'
import type { Deps } from '../../deps.ts'

export const createOfferChannel: Handler<typeof offers.operations.create_offer_channel, Deps> = async (
  { headers, body },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const id = newId('och')
  const key = creationKey(headers, body)
  const [row] = await sql<OfferChannelRow & CreatedRow>`/* offers.create_offer_channel */
    with created as (
      insert into offer_channels (
        id, workspace_id, product_id, name, status, created_at, creation_key, creation_intent
      )
      values (
        ${id}, ${workspace}, ${body.product_id}, ${body.name}, ${body.status},
        to_timestamp(${Math.floor(now() / 1000)}), ${key.key}, ${key.intent}
      )
      ${orCreated}
      returning *
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.offer_channels.created', ${channelEvent}
      from created where id = ${id}
    )
    select ${channelColumns}, creation_intent from created`.catch(error => {
    throw sqlstate(error) === foreignKeyViolation
      ? refusal('unknown_reference', { path: ['product_id'] })
      : error
  })
  const { resource, headers: replied } = createdOrReplayed(row, id, key)
  eventWritten()
  return { body: resource, headers: replied }
}
