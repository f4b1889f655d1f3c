import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { channelColumns, policyFields, type OfferChannelRow } from './channel-columns.ts'
import { isPolicyNumber } from './policy-columns.ts'
import type { Deps } from '../../deps.ts'

/** Statements that create offers verify that the policy is still active. */
export const activateChannelPolicy: Handler<typeof offers.operations.activate_channel_policy, Deps> = async (
  { params: { id, number } },
  { workspace },
  { sql, eventWritten, call },
) => {
  if (!isPolicyNumber(number)) throw refusal('not_found')
  const [changed] = await sql<OfferChannelRow>`/* offers.activate_channel_policy */
    with target as materialized (
      select c.id, ${policyFields} as previous, (
        select p.number from channel_policies p where p.offer_channel_id = c.id and p.number = ${Number(number)}
      ) as number
      from offer_channels c where c.workspace_id = ${workspace} and c.id = ${id}
      for no key update
    ), changed as (
      update offer_channels c set active_policy = t.number
      from target t where c.id = t.id and t.number is not null
      returning c.*, t.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(policyFields))}
      id, 'events.offer_channels.policy_activated',
        json_build_object('workspace_id', workspace_id, 'policy_number', active_policy)
      from changed where previous <> ${policyFields}
    )
    select ${channelColumns}
    from changed`
  if (!changed) throw refusal('not_found')
  eventWritten()
  return { body: changed }
}
