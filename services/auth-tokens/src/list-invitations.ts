import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from './deps.ts'
import { type OwnInvitationRow, ownInvitation } from './invitation.ts'
import { personOf } from './person.ts'

/** For a verified address: who only says that it is theirs learns nothing about it. */
export const listInvitations: Handler<typeof authTokens.operations.list_invitations, Deps> = async (
  { query: { limit, cursor } },
  caller,
  { sql, now },
) => {
  const at = now() / 1000
  const rows = await sql<OwnInvitationRow>`
    select i.id, i.email, i.role, 'pending' as state, inviter.email as invited_by,
      floor(extract(epoch from i.created_at))::bigint as created_at,
      floor(extract(epoch from i.expires_at))::bigint as expires_at,
      w.id as workspace_id, w.name as workspace_name, workspace_owner(w.id) as workspace_owner
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
