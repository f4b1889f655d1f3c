import type { authTokens } from '@svc/contract/auth-tokens'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { invitationClosed, readOwnInvitation } from './invitation.ts'
import { personOf } from './person.ts'

export const declineInvitation: Handler<typeof authTokens.operations.decline_invitation, Deps> = async (
  { params: { id } },
  caller,
  { sql, now, eventWritten },
) => {
  const at = now() / 1000
  const person = personOf(caller)
  const [declined] = await sql`
    with declined as (
      update invitations i set declined_at = to_timestamp(${at})
      from users u
      where i.id = ${id} and i.open and i.expires_at > to_timestamp(${at})
        and u.id = ${person} and u.email = i.email and u.verified_at is not null
      returning i.id, i.workspace_id, i.role
    ), told as (
      insert into outbox (aggregate_id, subject, payload)
      select id, 'events.invitations.declined', jsonb_build_object('workspace_id', workspace_id, 'role', role)
      from declined
    )
    select id from declined`
  if (declined) eventWritten()
  const after = await readOwnInvitation(sql, { id, person, at })
  if (after.state !== 'declined') throw invitationClosed('declined', after.state, 'id')
  return { body: after }
}
