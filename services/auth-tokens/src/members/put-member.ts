import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { memberPrincipal } from '../leases/principals.ts'
import { memberAggregate, memberEvent, memberFields } from './member-events.ts'
import { lockedWorkspace } from './workspace-turn.ts'

/** In turns, as in update-member.ts: the last owner stays one. */
export const putMember: Handler<typeof authTokens.operations.put_member, Deps> = async (
  { body: { user_id, role } },
  caller,
  { sql, recall, eventWritten, call },
) => {
  const [outcome] = await sql<{ put: boolean; last_owner: boolean }>`/* auth_tokens.put_member */
    with ${lockedWorkspace(caller.workspace)}, judged as materialized (
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
    ), event as (
      ${intoOutbox(call.by, changesOf(memberFields))}
      ${memberAggregate},
        case when previous_role is null then 'events.members.added' else 'events.members.updated' end,
        ${memberEvent}
      from put, (
        select previous_role, case when previous_role is not null then jsonb_build_object('role', previous_role) end as previous
        from judged
      ) judged
      where previous_role is distinct from role
    )
    select exists (select from put) as put, coalesce((select last_owner from judged), false) as last_owner`
  if (outcome?.put) eventWritten()
  await recall(memberPrincipal(caller.workspace, user_id))
  if (outcome?.last_owner) {
    throw refusal('last_owner', {
      path: ['role'],
      message: 'The last owner must stay an owner. Make another member an owner first.',
    })
  }
  if (!outcome?.put) {
    throw refusal('unknown_reference', { path: ['user_id'], message: 'There is no such user or workspace.' })
  }
  return { body: { user_id, role } }
}
