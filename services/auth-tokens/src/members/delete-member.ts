import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import type { Handler } from '@svc/contract/core/operation'
import { refuseStale } from '@svc/contract/core/refuse-caller'
import type { Deps } from '../deps.ts'
import { memberPrincipal } from '../leases/principals.ts'
import { eventOfRemoved } from './member-events.ts'
import { notAMember, refusalOf, type Verdict } from './member-refusals.ts'
import { personOf } from '../people/person.ts'
import { lockedWorkspace } from './workspace-turn.ts'

/** Serialised as in update-member.ts. Every member may leave. */
export const deleteMember: Handler<typeof authTokens.operations.delete_member, Deps> = async (
  { params: { id: workspace, user_id } },
  caller,
  { sql, now, recall, eventWritten, call },
) => {
  const person = personOf(caller)
  const isStale = refuseStale(caller, now() / 1000) !== undefined
  const [outcome] = await sql<{
    actor_role: Role | null
    verdict: Verdict
    removed: boolean
  }>`/* auth_tokens.delete_member */
    with ${lockedWorkspace(workspace)}, judged as materialized (
      select actor.role as actor_role, case
        when actor.role is null then 'not_a_member'
        when actor.role = 'member' and ${user_id}::text <> ${person}::text then 'admin_needed'
        when actor.role <> 'owner' and target.role = 'owner' then 'owner_needed'
        when ${isStale} and target.role = 'owner' then 'step_up_needed'
        when target.role is null then 'not_found'
        when target.role = 'owner' and not another_owner(w.id, ${user_id}) then 'last_owner'
        else 'ok'
      end as verdict
      from workspace w
      left join lateral membership_now(w.id, ${person}) actor on true
      left join lateral membership_now(w.id, ${user_id}) target on true
    ), removed as (
      delete from memberships m
      using judged
      where judged.verdict = 'ok' and m.workspace_id = ${workspace} and m.user_id = ${user_id}
      returning m.user_id, m.workspace_id
    ), event as (
      ${eventOfRemoved(call.by)}
    )
    select actor_role, verdict, exists (select from removed) as removed from judged`
  if (!outcome) throw notAMember()
  const { actor_role, removed } = outcome
  // Added while this statement waited: not visible to this change.
  const verdict = outcome.verdict === 'ok' && !removed ? 'not_found' : outcome.verdict
  if (removed) eventWritten()
  // A person who has left before is not a member any more.
  if (verdict === 'ok' || verdict === 'not_found' || user_id === person)
    await recall(memberPrincipal(workspace, user_id))
  const refused = refusalOf(verdict, { role: actor_role, path: 'user_id' })
  if (refused) throw refused
  return { body: undefined }
}
