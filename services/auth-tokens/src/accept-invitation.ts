import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import { bucketOf } from './attempts.ts'
import type { Deps } from './deps.ts'
import { invitationClosed, readOwnInvitation } from './invitation.ts'
import { personOf } from './person.ts'

/**
 * In turns with all changes of the workspace's members, as in update-member.ts. Of an invitation that is accepted and
 * revoked at once one happens. Who invited may have lost the role since: it is the workspace that invites.
 *
 * Whoever is a member keeps the role that they have. An answered invitation was worth its mail: the next one is sent some, too.
 */
export const acceptInvitation: Handler<typeof authTokens.operations.accept_invitation, Deps> = async (
  { params: { id } },
  caller,
  { sql, now, eventWritten },
) => {
  const at = now() / 1000
  const person = personOf(caller)
  const before = await readOwnInvitation(sql, { id, person, at })
  if (before.state === 'accepted') return { body: before }
  const bucket = bucketOf(
    'invitation_mail_per_workspace_and_recipient',
    `${before.workspace.id} ${before.email}`,
  )
  const [accepted] = await sql`
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
      insert into memberships (user_id, workspace_id, role, created_at, accepted_at)
      select user_id, workspace_id, role, to_timestamp(${at}), to_timestamp(${at}) from accepted
      on conflict (user_id, workspace_id) do update set accepted_at = excluded.accepted_at
      returning user_id, workspace_id, role, xmax = 0 as added
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.invitations.accepted',
        jsonb_build_object('workspace_id', workspace_id, 'role', role, 'user_id', user_id)
      from accepted
      union all
      select workspace_id || '/' || user_id, 'events.members.added',
        jsonb_build_object('workspace_id', workspace_id, 'user_id', user_id, 'role', role)
      from joined where added
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
