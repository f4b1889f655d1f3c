import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { bucketOf } from '../credentials/attempts.ts'
import type { Deps } from '../deps.ts'
import { invitationClosed, readOwnInvitation } from './invitation.ts'
import { memberAggregate, memberEvent } from './member-events.ts'
import { personOf } from '../people/person.ts'

/**
 * Serialised with all changes of the workspace's members, as in update-member.ts. Of a simultaneous acceptance and
 * revocation only one takes effect; the end of the inviter's role revokes (end_invitations_of_inviter.sql).
 *
 * Existing members keep their role. An answered invitation resets the weekly limit, so that the next one is sent by
 * mail, too.
 */
export const acceptInvitation: Handler<typeof authTokens.operations.accept_invitation, Deps> = async (
  { params: { id } },
  caller,
  { sql, now, eventWritten, call },
) => {
  const at = now() / 1000
  const person = personOf(caller)
  const before = await readOwnInvitation(sql, { id, person, at })
  if (before.state === 'accepted') return { body: before }
  const bucket = bucketOf(
    'invitation_mail_per_workspace_and_recipient',
    `${before.workspace.id} ${before.email}`,
  )
  const [accepted] = await sql`/* auth_tokens.accept_invitation */
    with workspace as materialized (
      select w.id from workspaces w
      where w.id = (select workspace_id from invitations where id = ${id}) for no key update
    ), accepted as (
      update invitations i set accepted_at = to_timestamp(${at})
      from workspace w, users u
      where i.id = ${id} and i.workspace_id = w.id and i.open and i.expires_at > to_timestamp(${at})
        and u.id = ${person} and u.email = i.email and u.verified_at is not null
      returning i.id, i.workspace_id, i.role, u.id as user_id
    ), joined as (
      insert into memberships (user_id, workspace_id, role, created_at)
      select user_id, workspace_id, role, to_timestamp(${at}) from accepted
      on conflict (user_id, workspace_id) do nothing
      returning user_id, workspace_id, role
    ), event as (
      ${intoOutbox(call.by)} aggregate_id, subject, payload
      from (
        select id, 'events.invitations.accepted',
          jsonb_build_object('workspace_id', workspace_id, 'role', role, 'user_id', user_id)
        from accepted
        union all
        select ${memberAggregate}, 'events.members.added', ${memberEvent}
        from joined
      ) as both_events (aggregate_id, subject, payload)
    )
    select forget_attempts(${bucket}) from accepted`
  if (accepted) {
    eventWritten()
    return { body: { ...before, state: 'accepted' } }
  }
  const after = await readOwnInvitation(sql, { id, person, at })
  if (after.state !== 'accepted') throw invitationClosed('accepted', after.state, 'id')
  return { body: after }
}
