import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import type { OfferChannelRow } from './get-offer-channel.ts'

export const updateOfferChannel: Handler<typeof offers.operations.update_offer_channel, Deps> = async (
  { params: { id }, body: { name = null, status = null } },
  { workspace },
  { sql, eventWritten },
) => {
  const [changed] = await sql<OfferChannelRow>`
    with target as materialized (
      select id, name, status from offer_channels where workspace_id = ${workspace} and id = ${id}
      for no key update
    ), changed as (
      update offer_channels c set name = coalesce(${name}, c.name), status = coalesce(${status}, c.status)
      from target t where c.id = t.id
      returning c.*, (c.name, c.status) <> (t.name, t.status) as differs
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.offer_channels.updated',
        json_build_object('workspace_id', workspace_id, 'product_id', product_id, 'status', status)
      from changed where differs
    )
    select id, product_id, name, status, active_policy,
      floor(extract(epoch from created_at))::bigint as created_at
    from changed`
  if (!changed) throw refusal('not_found')
  eventWritten()
  return { body: changed }
}
