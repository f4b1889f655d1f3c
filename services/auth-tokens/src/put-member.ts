import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

export const putMember: Handler<typeof authTokens.operations.put_member, Deps> = async (
  { body: { user_id, role } },
  caller,
  { sql },
) => {
  const [member] = await sql`
    insert into memberships (user_id, workspace_id, role)
    select u.id, w.id, ${role} from users u, workspaces w
    where u.id = ${user_id} and w.id = ${caller.workspace}
    on conflict (user_id, workspace_id) do update set role = excluded.role
    returning user_id`
  if (!member)
    throw refusal('unknown_reference', { path: ['user_id'], message: 'There is no such user or workspace.' })
  return { body: { user_id, role } }
}
