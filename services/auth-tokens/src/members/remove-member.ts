import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { memberPrincipal } from '../leases/principals.ts'
import { eventOfRemoved } from './member-events.ts'
import { lockedWorkspace } from './workspace-turn.ts'

/** In turns, as in update-member.ts: the last owner stays. */
export const removeMember: Handler<typeof authTokens.operations.remove_member, Deps> = async (
  { body: { user_id } },
  caller,
  { sql, recall, eventWritten, call },
) => {
  const [outcome] = await sql<{ removed: boolean; last_owner: boolean }>`/* auth_tokens.remove_member */
    with ${lockedWorkspace(caller.workspace)}, judged as materialized (
      select w.id, target.role = 'owner' and not another_owner(w.id, ${user_id}) as last_owner
      from workspace w cross join lateral membership_now(w.id, ${user_id}) target
    ), removed as (
      delete from memberships m
      using judged
      where m.workspace_id = judged.id and m.user_id = ${user_id} and not judged.last_owner
      returning m.user_id, m.workspace_id
    ), event as (
      ${eventOfRemoved(call.by)}
    )
    select exists (select from removed) as removed, coalesce((select last_owner from judged), false) as last_owner`
  if (outcome?.removed) eventWritten()
  await recall(memberPrincipal(caller.workspace, user_id))
  if (outcome?.removed) return { body: undefined }
  if (!outcome?.last_owner) throw refusal('not_found', { path: ['user_id'] })
  throw refusal('last_owner', {
    path: ['user_id'],
    message: 'The last owner cannot leave. Make another member an owner first.',
  })
}
