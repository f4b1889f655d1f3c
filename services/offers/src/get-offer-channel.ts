import { refusal } from '@svc/contract/errors'
import type { offers } from '@svc/contract/offers'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export interface OfferChannelRow {
  id: string
  product_id: string
  name: string
  status: 'active' | 'inactive'
  active_policy: number | null
  created_at: number
}

export const getOfferChannel: Handler<typeof offers.operations.get_offer_channel, Deps> = async (
  { params: { id } },
  { workspace },
  { sql },
) => {
  const [found] = await sql<OfferChannelRow>`
    select id, product_id, name, status, active_policy,
      floor(extract(epoch from created_at))::bigint as created_at
    from offer_channels where workspace_id = ${workspace} and id = ${id}`
  if (!found) throw refusal('not_found')
  return { body: found }
}
