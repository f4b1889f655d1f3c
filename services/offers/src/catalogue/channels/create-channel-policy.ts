import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { requirePermission } from '@svc/contract/core/refuse-caller'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import { policyFields } from './channel-columns.ts'
import type { Deps } from '../../deps.ts'

export const createChannelPolicy: Handler<typeof offers.operations.create_channel_policy, Deps> = async (
  { params: { id }, body: { policy, activate } },
  caller,
  { sql, now, eventWritten, call },
) => {
  if (activate) requirePermission(caller, 'policies:activate')
  const { workspace } = caller
  const created_at = Math.floor(now() / 1000)
  // The channel's row provides the number, so policies published at once get different ones.
  const [row] = await sql<{ number: number }>`/* offers.create_channel_policy */
    with target as materialized (
      select id, ${policyFields} as previous from offer_channels where workspace_id = ${workspace} and id = ${id}
      for no key update
    ), channel as (
      update offer_channels c set
        last_policy = c.last_policy + 1,
        active_policy = case when ${activate} then c.last_policy + 1 else c.active_policy end
      from target t where c.id = t.id
      returning c.id, c.workspace_id, c.last_policy, c.active_policy, t.previous
    ), event as (
      ${intoOutbox(call.by, fragment`case when done = 'policy_activated' then ${changesOf(policyFields)} end`)}
      id, 'events.offer_channels.' || done,
        json_build_object('workspace_id', workspace_id, 'policy_number', last_policy)
      from channel, (values (1, 'policy_published', true), (2, 'policy_activated', ${activate}::boolean)) as steps (ordinal, done, is_done)
      where is_done
      order by ordinal
    )
    insert into channel_policies (offer_channel_id, number, policy, created_at)
    select id, last_policy, ${sql.json(policy)}, to_timestamp(${created_at}) from channel
    returning number`
  if (!row) throw refusal('not_found')
  eventWritten()
  return { body: { offer_channel_id: id, number: row.number, active: activate, policy, created_at } }
}
