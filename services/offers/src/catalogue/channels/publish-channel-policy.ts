import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { insertChannelPolicy } from './create-channel-policy.ts'
import type { Deps } from '../../deps.ts'

/** For the back office: the new policy is the active one at once. */
export const publishChannelPolicy: Handler<typeof offers.operations.publish_channel_policy, Deps> = async (
  { body: { offer_channel_id: id, policy } },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const created_at = Math.floor(now() / 1000)
  const { by } = call
  const number = await insertChannelPolicy(sql, { workspace, id, policy, activate: true, created_at, by })
  if (number === undefined) throw refusal('unknown_reference', { path: ['offer_channel_id'] })
  eventWritten()
  return { body: { number } }
}
