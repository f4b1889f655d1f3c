import { refusal } from '@svc/contract/core/errors'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../../deps.ts'
import { policyColumns, type PolicyRow } from './policy-columns.ts'

export const listChannelPolicies: Handler<typeof offers.operations.list_channel_policies, Deps> = async (
  { params: { id }, query: { limit, cursor } },
  { workspace },
  { sql },
) => {
  const rows = await sql<PolicyRow | { number: null }>`/* offers.list_channel_policies */
    select page.*
    from offer_channels c left join lateral (
      select ${policyColumns}
      from channel_policies p
      where p.offer_channel_id = c.id and p.number < ${numberAfter(cursor)}::bigint
      order by p.number desc
      limit ${limit + 1}
    ) page on true
    where c.workspace_id = ${workspace} and c.id = ${id}
    order by page.number desc`
  if (rows.length === 0) throw refusal('not_found')
  const policies = rows.filter((row): row is PolicyRow => row.number !== null)
  const { data, next_cursor } = pageOf(
    policies.map(policy => ({ id: idOf(policy), policy })),
    limit,
  )
  return { body: { data: data.map(({ policy }) => policy), next_cursor } }
}

/** Policies have no ids: their cursor is the number, in the form of an id of the channel. */
const idOf = ({ number }: PolicyRow) => `och_${number}`

function numberAfter(cursor: string | undefined): number {
  if (cursor === undefined) return 2 ** 31
  const number = Number(afterCursor(cursor, 'och').slice('och_'.length))
  return Number.isInteger(number) && number < 2 ** 31 ? number : 0
}
