import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** In turns, as in update-member.ts: the last owner stays. */
export const removeMember: Handler<typeof authTokens.operations.remove_member, Deps> = async (
  { body: { user_id } },
  caller,
  { sql, eventWritten },
) => {
  const [outcome] = await sql<{ removed: boolean; last_owner: boolean }>`
    with workspace as materialized (
      select id from workspaces where id = ${caller.workspace} for no key update
    ), judged as materialized (
      select w.id, target.role = 'owner' and not another_owner(w.id, ${user_id}) as last_owner
      from workspace w cross join lateral membership_now(w.id, ${user_id}) target
    ), removed as (
      delete from memberships m
      using judged
      where m.workspace_id = judged.id and m.user_id = ${user_id} and not judged.last_owner
      returning m.user_id, m.workspace_id
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select workspace_id || '/' || user_id, 'events.members.removed',
        jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id)
      from removed
    )
    select exists (select from removed) as removed, coalesce((select last_owner from judged), false) as last_owner`
  if (outcome?.removed) {
    eventWritten()
    return { body: undefined }
  }
  if (!outcome?.last_owner) throw refusal('not_found', { path: ['user_id'] })
  throw refusal('last_owner', {
    path: ['user_id'],
    message: 'The last owner cannot leave. Make another member owner first.',
  })
}
