import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { ownColumns, ownInvitation, type OwnInvitationRow } from './invitation.ts'
import { personOf } from '../people/person.ts'

/** Only for a verified address: claiming an address reveals nothing about it. */
export const listInvitations: Handler<typeof authTokens.operations.list_invitations, Deps> = async (
  { query: { limit, cursor } },
  caller,
  { sql, now },
) => {
  const at = now() / 1000
  const rows = await sql<OwnInvitationRow>`/* auth_tokens.list_invitations */
    select ${ownColumns(fragment`'pending'`)}
    from users u
    join invitations i on i.email = u.email and i.open and i.expires_at > to_timestamp(${at})
    join workspaces w on w.id = i.workspace_id
    left join users inviter on inviter.id = i.invited_by
    where u.id = ${personOf(caller)} and u.verified_at is not null and i.id < ${afterCursor(cursor, 'inv')}
    order by i.id desc
    limit ${limit + 1}`
  const { data, next_cursor } = pageOf(rows, limit)
  return { body: { data: data.map(ownInvitation), next_cursor } }
}
