import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** The last owner stays one: the owners' rows are locked, as in remove-member.ts. */
export const putMember: Handler<typeof authTokens.operations.put_member, Deps> = async (
  { body: { user_id, role } },
  caller,
  { sql },
) => {
  const [outcome] = await sql<{ put: boolean; last_owner: boolean }>`
    with owners as (
      select user_id from memberships
      where workspace_id = ${caller.workspace} and role = 'owner' and active order by user_id for update
    ), demoted as (
      select ${role}::text <> 'owner' and coalesce(every(user_id = ${user_id}), false) as last_owner from owners
    ), put as (
      insert into memberships (user_id, workspace_id, role)
      select u.id, w.id, ${role} from users u, workspaces w
      where u.id = ${user_id} and w.id = ${caller.workspace} and not (select last_owner from demoted)
      on conflict (user_id, workspace_id) do update set role = excluded.role, active = true
      returning user_id
    )
    select exists (select from put) as put, last_owner from demoted`
  if (outcome?.last_owner) {
    throw refusal('last_owner', {
      path: ['role'],
      message: 'The last owner stays owner. Make another member owner first.',
    })
  }
  if (!outcome?.put) {
    throw refusal('unknown_reference', { path: ['user_id'], message: 'There is no such user or workspace.' })
  }
  return { body: { user_id, role } }
}
