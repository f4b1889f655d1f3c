import type { authTokens } from '@svc/contract/auth-tokens'
import type { Role } from '@svc/contract/caller'
import { refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import { newId } from '@svc/runtime/id'
import { boundsOf, bucketOf, dailyLimits, dayInSeconds, tooManyAttempts } from './attempts.ts'
import type { Deps } from './deps.ts'
import { notAMember, refusalOf, type Verdict } from './member-refusals.ts'
import { personOf } from './person.ts'

interface Outcome {
  actor_role: Role | null
  verdict: Verdict
  wait: number | null
  id: string | null
  active: boolean
  created_at: number
}

/**
 * In turns, as in update-member.ts. The user's row is locked, too: either a verification that is under way is seen here,
 * or it sees this membership. The message is queued with it, or neither is there; an address
 * that this workspace has written to within a week, or that has had too many today, gets none.
 */
export const addMember: Handler<typeof authTokens.operations.add_member, Deps> = async (
  { params: { id: workspace }, body: { email, role } },
  caller,
  { sql, now, messageQueued, eventWritten },
) => {
  const at = now() / 1000
  const person = personOf(caller)
  const address = email.toLowerCase()
  const mail = boundsOf(
    [
      'invitation_mail_per_workspace_and_recipient',
      bucketOf('invitation_mail_per_workspace_and_recipient', `${workspace} ${address}`),
    ],
    ['invitation_mail_per_workspace', bucketOf('invitation_mail_per_workspace', workspace)],
    ['invitation_mail_per_recipient', bucketOf('invitation_mail_per_recipient', address)],
  )
  const [outcome] = await sql<Outcome>`
    with workspace as materialized (
      select id from workspaces where id = ${workspace} for no key update
    ), judged as materialized (
      select actor.role as actor_role, case
        when actor.role is null then 'not_a_member'
        when actor.role = 'member' then 'admin_needed'
        when actor.role <> 'owner' and ${role}::text = 'owner' then 'owner_needed'
        else 'ok'
      end as verdict
      from workspace w left join lateral membership_now(w.id, ${person}) actor on actor.active
    ), taken as materialized (
      select take_attempt(
        ${bucketOf('invitations_per_person', person)}, ${dailyLimits.invitations_per_person},
        make_interval(secs => ${dayInSeconds}), to_timestamp(${at})
      ) as wait
      from judged where verdict = 'ok'
    ), invited as (
      insert into users (id, email, created_at)
      select ${newId('user')}, ${address}, to_timestamp(${at}) from taken where wait = 0
      on conflict (email) do update set created_at = users.created_at
      returning id, verified_at is not null as verified
    ), added as (
      insert into memberships (user_id, workspace_id, role, active, created_at)
      select id, ${workspace}, ${role}, verified, to_timestamp(${at}) from invited
      on conflict do nothing
      returning user_id, workspace_id, role, active, created_at
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select workspace_id || '/' || user_id, 'events.members.added', jsonb_build_object(
        'workspace_id', workspace_id, 'user_id', user_id, 'role', role,
        'state', case when active then 'active' else 'invited' end
      )
      from added
    ), mailed as materialized (
      select take_attempts(
        ${mail.buckets}::text[], ${mail.most}::bigint[], ${mail.seconds}::bigint[], to_timestamp(${at})
      ) as wait
      from added
    ), queued as (
      insert into messages (id, kind, email, workspace_id, role, invited_by, created_at, next_at)
      select ${newId('msg')}, 'invitation', ${address}, ${workspace}, ${role}, ${person}, to_timestamp(${at}),
        to_timestamp(${at})
      from mailed where wait = 0
    )
    select judged.actor_role, judged.verdict, taken.wait, a.user_id as id, a.active,
      floor(extract(epoch from a.created_at))::bigint as created_at
    from judged left join taken on true left join added a on true`
  if (!outcome) throw notAMember()
  const { actor_role, verdict, wait, id, active, created_at } = outcome
  const refused = refusalOf(verdict, { role: actor_role, path: 'role' })
  if (refused) throw refused
  if (wait) throw tooManyAttempts(wait)
  if (!id) {
    throw refusal('already_exists', {
      path: ['email'],
      message: 'This address is a member or is invited already. Change the role with PATCH.',
    })
  }
  messageQueued()
  eventWritten()
  return { body: { id, email: address, role, state: active ? 'active' : 'invited', created_at } }
}
