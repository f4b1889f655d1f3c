import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import type { OfferChannelRow } from './get-offer-channel.ts'

/** Offers that are being made verify by their own statement that the policy still is the active one. */
export const activateChannelPolicy: Handler<typeof offers.operations.activate_channel_policy, Deps> = async (
  { params: { id, number } },
  { workspace },
  { sql, eventWritten },
) => {
  if (!/^[1-9]\d{0,8}$/.test(number)) throw refusal('not_found')
  const [changed] = await sql<OfferChannelRow>`
    with target as materialized (
      select c.id, c.active_policy as previous, (
        select p.number from channel_policies p where p.offer_channel_id = c.id and p.number = ${Number(number)}
      ) as number
      from offer_channels c where c.workspace_id = ${workspace} and c.id = ${id}
      for no key update
    ), changed as (
      update offer_channels c set active_policy = t.number
      from target t where c.id = t.id and t.number is not null
      returning c.*, t.previous
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.offer_channels.policy_activated',
        json_build_object('workspace_id', workspace_id, 'policy_number', active_policy)
      from changed where previous is distinct from active_policy
    )
    select id, product_id, name, status, active_policy,
      floor(extract(epoch from created_at))::bigint as created_at
    from changed`
  if (!changed) throw refusal('not_found')
  eventWritten()
  return { body: changed }
}
