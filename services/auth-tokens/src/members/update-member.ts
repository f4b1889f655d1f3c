import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import type { Handler } from '@svc/contract/core/operation'
import { refuseStale } from '@svc/contract/core/refuse-caller'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { refuseToGrant, wholeRole } from '../api-tokens/narrowing.ts'
import type { Deps } from '../deps.ts'
import { memberPrincipal } from '../leases/principals.ts'
import { memberAggregate, memberEvent, memberFields } from './member-events.ts'
import { notAMember, refusalOf, type Verdict } from './member-refusals.ts'
import { personOf } from '../people/person.ts'
import { lockedWorkspace } from './workspace-turn.ts'

interface UpdateMemberResult {
  actor_role: Role | null
  verdict: Verdict
  id: string | null
  email: string
  name: string | null
  created_at: number
}

/**
 * All changes of a workspace's members are serialised by locking its row, and each sees the result of the one
 * before: someone just removed can change nothing, and the last owner stays.
 */
export const updateMember: Handler<typeof authTokens.operations.update_member, Deps> = async (
  { params: { id: workspace, user_id }, body: { role } },
  caller,
  { sql, now, recall, eventWritten, call },
) => {
  refuseToGrant(caller, wholeRole)
  const person = personOf(caller)
  const isStale = refuseStale(caller, now() / 1000) !== undefined
  const [outcome] = await sql<UpdateMemberResult>`/* auth_tokens.update_member */
    with ${lockedWorkspace(workspace)}, judged as materialized (
      select actor.role as actor_role, case
        when actor.role is null then 'not_a_member'
        when actor.role = 'member' then 'admin_needed'
        when actor.role <> 'owner' and 'owner' in (target.role, ${role}::text) then 'owner_needed'
        when ${isStale} and 'owner' in (target.role, ${role}::text) then 'step_up_needed'
        when target.role is null then 'not_found'
        when target.role = 'owner' and ${role}::text <> 'owner'
          and not another_owner(w.id, ${user_id}) then 'last_owner'
        else 'ok'
      end as verdict, target.role as previous_role
      from workspace w
      left join lateral membership_now(w.id, ${person}) actor on true
      left join lateral membership_now(w.id, ${user_id}) target on true
    ), changed as (
      update memberships m set role = ${role}
      from judged
      where judged.verdict = 'ok' and m.workspace_id = ${workspace} and m.user_id = ${user_id}
      returning m.user_id, m.workspace_id, m.role, jsonb_build_object('role', judged.previous_role) as previous, m.created_at
    ), event as (
      ${intoOutbox(call.by, changesOf(memberFields))}
      ${memberAggregate}, 'events.members.updated', ${memberEvent}
      from changed where previous <> ${memberFields}
    )
    select judged.actor_role, judged.verdict, u.id, u.email, u.name,
      unix_seconds(c.created_at) as created_at
    from judged left join changed c on true left join users u on u.id = c.user_id`
  if (!outcome) throw notAMember()
  const { actor_role, id, email, name, created_at } = outcome
  // Added while this statement waited: not visible to this change.
  const verdict = outcome.verdict === 'ok' && !id ? 'not_found' : outcome.verdict
  if (id) eventWritten()
  // A person who has lowered their own role may not repeat it.
  if (verdict === 'ok' || verdict === 'not_found' || user_id === person)
    await recall(memberPrincipal(workspace, user_id))
  const refused = refusalOf(verdict, { role: actor_role, path: 'role' })
  if (refused) throw refused
  return { body: { id: user_id, email, name, role, created_at } }
}
