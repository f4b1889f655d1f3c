import type { authTokens } from '@svc/contract/auth-tokens'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** In turns, as in update-member.ts: the last owner stays one. */
export const putMember: Handler<typeof authTokens.operations.put_member, Deps> = async (
  { body: { user_id, role } },
  caller,
  { sql, eventWritten },
) => {
  const [outcome] = await sql<{ put: boolean; last_owner: boolean }>`
    with workspace as materialized (
      select id from workspaces where id = ${caller.workspace} for no key update
    ), judged as materialized (
      select w.id, target.role as previous_role, coalesce(
        target.role = 'owner' and ${role}::text <> 'owner'
          and not another_owner(w.id, ${user_id}), false
      ) as last_owner
      from workspace w left join lateral membership_now(w.id, ${user_id}) target on true
    ), put as (
      insert into memberships (user_id, workspace_id, role)
      select u.id, judged.id, ${role} from judged, users u where u.id = ${user_id} and not judged.last_owner
      on conflict (user_id, workspace_id) do update set role = excluded.role
      returning user_id, workspace_id, role
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select workspace_id || '/' || user_id,
        case when previous_role is null then 'events.members.added' else 'events.members.updated' end,
        jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id, 'role', role)
      from put, judged where previous_role is distinct from role
    )
    select exists (select from put) as put, coalesce((select last_owner from judged), false) as last_owner`
  if (outcome?.last_owner) {
    throw refusal('last_owner', {
      path: ['role'],
      message: 'The last owner stays owner. Make another member owner first.',
    })
  }
  if (!outcome?.put) {
    throw refusal('unknown_reference', { path: ['user_id'], message: 'There is no such user or workspace.' })
  }
  eventWritten()
  return { body: { user_id, role } }
}
