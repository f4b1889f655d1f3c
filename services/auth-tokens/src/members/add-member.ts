import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { refuseStale } from '@svc/contract/core/refuse-caller'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { boundsOf, bucketOf, dailyLimits, dayInSeconds, tooManyAttempts } from '../credentials/attempts.ts'
import { refuseToGrant, wholeRole } from '../api-tokens/narrowing.ts'
import type { Deps } from '../deps.ts'
import { invitationEvent, invitationLifetimeSeconds, madeColumns } from './invitation.ts'
import { notAMember, refusalOf, type Verdict } from './member-refusals.ts'
import { personOf } from '../people/person.ts'
import { lockedWorkspace } from './workspace-turn.ts'

interface AddMemberResult {
  actor_role: Role | null
  verdict: Verdict
  wait: number | null
  id: string | null
  invited_by: string
  created_at: number
  expires_at: number
}

/**
 * Nothing in the invitation depends on whether the address has an account. Serialised as in update-member.ts, so
 * that an acceptance in progress is seen. An expired invitation is replaced. The message is queued in the same
 * statement, unless this workspace has written to the address within a week, or the address has had too many
 * messages today.
 */
export const addMember: Handler<typeof authTokens.operations.add_member, Deps> = async (
  { params: { id: workspace }, body: { email, role } },
  caller,
  { sql, now, messageQueued, eventWritten, call },
) => {
  const at = now() / 1000
  refuseToGrant(caller, wholeRole)
  const person = personOf(caller)
  const mail = boundsOf(
    [
      'invitation_mail_per_workspace_and_recipient',
      bucketOf('invitation_mail_per_workspace_and_recipient', `${workspace} ${email}`),
    ],
    ['invitation_mail_per_workspace', bucketOf('invitation_mail_per_workspace', workspace)],
    ['invitation_mail_per_recipient', bucketOf('invitation_mail_per_recipient', email)],
  )
  const isStale = refuseStale(caller, at) !== undefined
  const [outcome] = await sql<AddMemberResult>`/* auth_tokens.add_member */
    with ${lockedWorkspace(workspace)}, judged as materialized (
      select actor.role as actor_role, case
        when actor.role is null then 'not_a_member'
        when actor.role = 'member' then 'admin_needed'
        when actor.role <> 'owner' and ${role}::text = 'owner' then 'owner_needed'
        when ${isStale} and ${role}::text = 'owner' then 'step_up_needed'
        else 'ok'
      end as verdict, is_member_now(w.id, ${email}) as is_member
      from workspace w left join lateral membership_now(w.id, ${person}) actor on true
    ), taken as materialized (
      select take_attempt(
        ${bucketOf('invitations_per_person', person)}, ${dailyLimits.invitations_per_person},
        make_interval(secs => ${dayInSeconds}), to_timestamp(${at})
      ) as wait, is_member
      from judged where verdict = 'ok'
    ), invited as (
      insert into invitations as i (id, workspace_id, email, role, invited_by, created_at, expires_at)
      select ${newId('inv')}, ${workspace}, ${email}, ${role}, ${person}, to_timestamp(${at}),
        to_timestamp(${at + invitationLifetimeSeconds})
      from taken where wait = 0 and not is_member
      on conflict (workspace_id, email) where open do update set
        id = excluded.id, role = excluded.role, invited_by = excluded.invited_by, created_at = excluded.created_at,
        expires_at = excluded.expires_at
      where i.expires_at <= to_timestamp(${at})
      returning id, workspace_id, role, invited_by, created_at, expires_at
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.invitations.created', ${invitationEvent}
      from invited
    ), mailed as materialized (
      select take_attempts(
        ${mail.buckets}::text[], ${mail.most}::bigint[], ${mail.seconds}::bigint[], to_timestamp(${at})
      ) as wait
      from invited
    ), queued as (
      insert into messages (id, kind, email, workspace_id, role, invited_by, created_at, next_at)
      select ${newId('msg')}, 'invitation', ${email}, ${workspace}, ${role}, ${person}, to_timestamp(${at}),
        to_timestamp(${at})
      from mailed where wait = 0
    )
    select judged.actor_role, judged.verdict, taken.wait, i.id, ${madeColumns}
    from judged left join taken on true left join invited i on true left join users inviter on inviter.id = i.invited_by`
  if (!outcome) throw notAMember()
  const { actor_role, verdict, wait, ...invited } = outcome
  const refused = refusalOf(verdict, { role: actor_role, path: 'role' })
  if (refused) throw refused
  if (wait) throw tooManyAttempts(wait)
  if (!invited.id) {
    throw refusal('already_exists', {
      path: ['email'],
      message:
        'This person is already a member or has a pending invitation. Change the role of the member, or revoke the invitation and invite again.',
    })
  }
  messageQueued()
  eventWritten()
  return { body: { ...invited, id: invited.id, email, role, state: 'pending' } }
}
