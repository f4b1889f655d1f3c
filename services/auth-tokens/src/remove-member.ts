import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** The last owner stays: the owners' rows are locked, so that two who leave at once cannot leave none. */
export const removeMember: Handler<typeof authTokens.operations.remove_member, Deps> = async (
  { body: { user_id } },
  caller,
  { sql },
) => {
  const [outcome] = await sql<{ removed: boolean; last_owner: boolean }>`
    with owners as (
      select user_id from memberships
      where workspace_id = ${caller.workspace} and role = 'owner' and active order by user_id for update
    ), leaving as (
      select coalesce(every(user_id = ${user_id}), false) as last_owner from owners
    ), removed as (
      delete from memberships
      where workspace_id = ${caller.workspace} and user_id = ${user_id}
        and not (select last_owner from leaving)
      returning user_id
    )
    select exists (select from removed) as removed, last_owner from leaving`
  if (outcome?.removed) return { body: undefined }
  if (!outcome?.last_owner) throw refusal('not_found', { path: ['user_id'] })
  throw refusal('last_owner', {
    path: ['user_id'],
    message: 'The last owner cannot leave. Make another member owner first.',
  })
}
