import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** The channel's row hands out the number, so policies published at once get different ones. */
export const publishChannelPolicy: Handler<typeof offers.operations.publish_channel_policy, Deps> = async (
  { body: { offer_channel_id, policy } },
  { workspace },
  { sql },
) => {
  const [row] = await sql<{ number: number }>`
    with channel as (
      update offer_channels set last_policy = last_policy + 1, active_policy = last_policy + 1
      where workspace_id = ${workspace} and id = ${offer_channel_id}
      returning id, active_policy
    )
    insert into channel_policies (offer_channel_id, number, policy)
    select id, active_policy, ${sql.json(policy)} from channel
    returning number`
  if (!row) throw refusal('unknown_reference', { path: ['offer_channel_id'] })
  return { body: { number: row.number } }
}
