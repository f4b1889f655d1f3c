import { refusal } from '@svc/contract/core/errors'
import type { ChannelPolicy } from '@svc/contract/offers/channel-policy'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../../deps.ts'

interface Row {
  offer_channel_id: string
  number: number
  active: boolean
  policy: ChannelPolicy
  created_at: number
}

export const listChannelPolicies: Handler<typeof offers.operations.list_channel_policies, Deps> = async (
  { params: { id }, query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<Row | { number: null }>`/* offers.list_channel_policies */
    select p.*
    from offer_channels c left join lateral (
      select offer_channel_id, number, coalesce(number = c.active_policy, false) as active, policy,
        unix_seconds(created_at) as created_at
      from channel_policies
      where offer_channel_id = c.id and number < ${numberAfter(cursor)}::bigint
      order by number desc
      limit ${limit + 1}
    ) p on true
    where c.workspace_id = ${workspace} and c.id = ${id}
    order by p.number desc`
  if (rows.length === 0) throw refusal('not_found')
  const policies = rows.filter((row): row is Row => row.number !== null)
  const { data, next_cursor } = pageOf(
    policies.map(policy => ({ id: idOf(policy), policy })),
    limit,
  )
  return { body: { data: data.map(({ policy }) => policy), next_cursor } }
}

/** Policies have no ids: their cursor is the number, in the form of an id of the channel. */
const idOf = ({ number }: Row) => `och_${number}`

function numberAfter(cursor: string | undefined): number {
  if (cursor === undefined) return 2 ** 31
  const number = Number(afterCursor(cursor, 'och').slice('och_'.length))
  return Number.isInteger(number) && number < 2 ** 31 ? number : 0
}
