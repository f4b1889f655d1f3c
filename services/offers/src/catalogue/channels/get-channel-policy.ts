import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { isPolicyNumber, policyColumns, type PolicyRow } from './policy-columns.ts'

export const getChannelPolicy: Handler<typeof offers.operations.get_channel_policy, Deps> = async (
  { params: { id, number } },
  { workspace },
  { sql },
) => {
  if (!isPolicyNumber(number)) throw refusal('not_found')
  const [found] = await sql<PolicyRow>`/* offers.get_channel_policy */
    select ${policyColumns}
    from offer_channels c join channel_policies p on p.offer_channel_id = c.id and p.number = ${Number(number)}
    where c.workspace_id = ${workspace} and c.id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: found }
}
