import type { authTokens } from '@svc/contract/auth-tokens'
import type { Role } from '@svc/contract/caller'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { notAMember, refusalOf, type Verdict } from './member-refusals.ts'
import { personOf } from './person.ts'

interface Outcome {
  actor_role: Role | null
  verdict: Verdict
  id: string | null
  email: string
  created_at: number
}

/**
 * All changes of a workspace's members take turns at its row, and each is judged by what the ones before it have left:
 * who was removed meanwhile changes nothing any more, and the last owner stays.
 */
export const updateMember: Handler<typeof authTokens.operations.update_member, Deps> = async (
  { params: { id: workspace, user_id }, body: { role } },
  caller,
  { sql, eventWritten },
) => {
  const [outcome] = await sql<Outcome>`
    with workspace as materialized (
      select id from workspaces where id = ${workspace} for no key update
    ), judged as materialized (
      select actor.role as actor_role, case
        when actor.role is null then 'not_a_member'
        when actor.role = 'member' then 'admin_needed'
        when actor.role <> 'owner' and 'owner' in (target.role, ${role}::text) then 'owner_needed'
        when target.role is null then 'not_found'
        when target.role = 'owner' and ${role}::text <> 'owner'
          and not another_owner(w.id, ${user_id}) then 'last_owner'
        else 'ok'
      end as verdict, target.role as previous_role
      from workspace w
      left join lateral membership_now(w.id, ${personOf(caller)}) actor on true
      left join lateral membership_now(w.id, ${user_id}) target on true
    ), changed as (
      update memberships m set role = ${role}
      from judged
      where judged.verdict = 'ok' and m.workspace_id = ${workspace} and m.user_id = ${user_id}
      returning m.user_id, m.workspace_id, m.role, judged.previous_role, m.created_at
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select workspace_id || '/' || user_id, 'events.members.updated',
        jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id, 'role', role)
      from changed where role <> previous_role
    )
    select judged.actor_role, judged.verdict, u.id, u.email,
      floor(extract(epoch from c.created_at))::bigint as created_at
    from judged left join changed c on true left join users u on u.id = c.user_id`
  if (!outcome) throw notAMember()
  const { actor_role, id, email, created_at } = outcome
  // Added while this waited: for this change not there yet.
  const verdict = outcome.verdict === 'ok' && !id ? 'not_found' : outcome.verdict
  const refused = refusalOf(verdict, { role: actor_role, path: 'role' })
  if (refused) throw refused
  eventWritten()
  return { body: { id: user_id, email, role, created_at } }
}
