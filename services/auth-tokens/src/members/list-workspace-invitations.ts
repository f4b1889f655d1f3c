import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import type { Handler } from '@svc/contract/core/operation'
import { roleTooLow } from '@svc/contract/core/refuse-caller'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../deps.ts'
import { madeColumns } from './invitation.ts'
import { notAMember } from './member-refusals.ts'
import { personOf } from '../people/person.ts'

interface InvitationRow {
  reader_role: Role
  id: string | null
  email: string
  role: Role
  invited_by: string | null
  created_at: number
  expires_at: number
}

/** Nothing in it depends on whether an address has an account. */
export const listWorkspaceInvitations: Handler<
  typeof authTokens.operations.list_workspace_invitations,
  Deps
> = async ({ params: { id: workspace }, query: { limit, cursor } }, caller, { sql, now }) => {
  const rows = await sql<InvitationRow>`/* auth_tokens.list_workspace_invitations */
    with reader as materialized (
      select role from memberships where workspace_id = ${workspace} and user_id = ${personOf(caller)}
    )
    select reader.role as reader_role, i.*
    from reader
    left join lateral (
      select i.id, i.email, i.role, ${madeColumns}
      from invitations i left join users inviter on inviter.id = i.invited_by
      where i.workspace_id = ${workspace} and i.open and i.expires_at > to_timestamp(${now() / 1000})
        and i.id < ${afterCursor(cursor, 'inv')}
      order by i.id desc
      limit ${limit + 1}
    ) i on reader.role in ('owner', 'admin')
    order by i.id desc`
  const [first] = rows
  if (!first) throw notAMember()
  if (first.reader_role === 'member') throw roleTooLow(['owner', 'admin'], 'member')
  const found = rows.flatMap(({ reader_role, id, ...rest }) =>
    id ? [{ id, ...rest, state: 'pending' as const }] : [],
  )
  return { body: pageOf(found, limit) }
}
