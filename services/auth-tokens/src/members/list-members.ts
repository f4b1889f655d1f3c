import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller, Role } from '@svc/contract/core/caller'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../deps.ts'
import { notAMember } from './member-refusals.ts'
import { personOf } from '../people/person.ts'

interface MemberRow {
  admitted: boolean
  id: string | null
  email: string
  name: string | null
  role: Role
  created_at: number
}

export const listMembers: Handler<typeof authTokens.operations.list_members, Deps> = async (
  { params: { id: workspace }, query: { limit, cursor } },
  caller,
  { sql },
) => {
  const rows = await sql<MemberRow>`/* auth_tokens.list_members */
    with reader as materialized (
      select ${tokenOf(caller, workspace)} or exists (
        select from memberships where workspace_id = ${workspace} and user_id = ${readerOf(caller)}
      ) as admitted
    )
    select reader.admitted, m.*
    from reader
    left join lateral (
      select u.id, u.email, u.name, m.role, unix_seconds(m.created_at) as created_at
      from memberships m join users u on u.id = m.user_id
      where m.workspace_id = ${workspace} and m.user_id < ${afterCursor(cursor, 'user')}
      order by m.user_id desc
      limit ${limit + 1}
    ) m on reader.admitted
    order by m.id desc`
  if (!rows[0]?.admitted) throw notAMember()
  const members = rows.flatMap(({ admitted, id, ...member }) => (id ? [{ id, ...member }] : []))
  return { body: pageOf(members, limit) }
}

const tokenOf = (caller: Caller, workspace: string) =>
  caller.kind === 'api_token' && caller.workspace === workspace

const readerOf = (caller: Caller) => (caller.kind === 'api_token' ? null : personOf(caller))
