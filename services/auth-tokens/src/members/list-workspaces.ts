import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../deps.ts'
import { workspaceColumns, type WorkspaceRow } from './own-workspaces.ts'
import { personOf } from '../people/person.ts'

/** A person's active memberships, or the only workspace of an API token or a bound session. */
export const listWorkspaces: Handler<typeof authTokens.operations.list_workspaces, Deps> = async (
  { query: { limit, cursor } },
  caller,
  { sql },
) => {
  const after = afterCursor(cursor, 'ws')
  const rows =
    caller.kind === 'api_token'
      ? await sql<WorkspaceRow>`/* auth_tokens.list_workspace_of_token */
          select id, name, 'member' as role, workspace_owner(id) as owner, support_email,
            require_second_factor, unix_seconds(created_at) as created_at
          from workspaces where id = ${caller.workspace} and id < ${after}`
      : await sql<WorkspaceRow>`/* auth_tokens.list_workspaces */
          select ${workspaceColumns}
          from memberships m join workspaces w on w.id = m.workspace_id
          left join sessions bound on bound.id = ${caller.id}
          where m.user_id = ${personOf(caller)} and m.workspace_id < ${after}
            and (bound.workspace_id is null or m.workspace_id = bound.workspace_id)
          order by m.workspace_id desc
          limit ${limit + 1}`
  return { body: pageOf(rows, limit) }
}
