import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { channelColumns, channelEvent, channelFields, type OfferChannelRow } from './channel-columns.ts'
import type { Deps } from '../../deps.ts'

export const updateOfferChannel: Handler<typeof offers.operations.update_offer_channel, Deps> = async (
  { params: { id }, body: { name = null, status = null } },
  { workspace },
  { sql, eventWritten, call },
) => {
  const [changed] = await sql<OfferChannelRow>`/* offers.update_offer_channel */
    with target as materialized (
      select id, ${channelFields} as previous from offer_channels where workspace_id = ${workspace} and id = ${id}
      for no key update
    ), changed as (
      update offer_channels c set name = coalesce(${name}, c.name), status = coalesce(${status}, c.status)
      from target t where c.id = t.id
      returning c.*, t.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(channelFields))}
      id, 'events.offer_channels.updated',
        ${channelEvent}
      from changed where previous <> ${channelFields}
    )
    select ${channelColumns}
    from changed`
  if (!changed) throw refusal('not_found')
  eventWritten()
  return { body: changed }
}
