import type { authTokens } from '@svc/contract/auth-tokens'
import type { Role } from '@svc/contract/caller'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { notAMember, refusalOf, type Verdict } from './member-refusals.ts'
import { personOf } from './person.ts'

/** In turns, as in update-member.ts. Every member may leave. */
export const deleteMember: Handler<typeof authTokens.operations.delete_member, Deps> = async (
  { params: { id: workspace, user_id } },
  caller,
  { sql, eventWritten },
) => {
  const person = personOf(caller)
  const [outcome] = await sql<{ actor_role: Role | null; verdict: Verdict; removed: boolean }>`
    with workspace as materialized (
      select id from workspaces where id = ${workspace} for no key update
    ), judged as materialized (
      select actor.role as actor_role, case
        when actor.role is null then 'not_a_member'
        when actor.role = 'member' and ${user_id}::text <> ${person}::text then 'admin_needed'
        when actor.role <> 'owner' and target.role = 'owner' then 'owner_needed'
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
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select workspace_id || '/' || user_id, 'events.members.removed',
        jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id)
      from removed
    )
    select actor_role, verdict, exists (select from removed) as removed from judged`
  if (!outcome) throw notAMember()
  const { actor_role, removed } = outcome
  // Added while this waited: for this change not there yet.
  const verdict = outcome.verdict === 'ok' && !removed ? 'not_found' : outcome.verdict
  const refused = refusalOf(verdict, { role: actor_role, path: 'user_id' })
  if (refused) throw refused
  eventWritten()
  return { body: undefined }
}
