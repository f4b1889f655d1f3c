import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { invitationClosed, invitationEvent, readOwnInvitation } from './invitation.ts'
import { personOf } from '../people/person.ts'

export const declineInvitation: Handler<typeof authTokens.operations.decline_invitation, Deps> = async (
  { params: { id } },
  caller,
  { sql, now, eventWritten, call },
) => {
  const at = now() / 1000
  const person = personOf(caller)
  const [declined] = await sql`/* auth_tokens.decline_invitation */
    with declined as (
      update invitations i set declined_at = to_timestamp(${at})
      from users u
      where i.id = ${id} and i.open and i.expires_at > to_timestamp(${at})
        and u.id = ${person} and u.email = i.email and u.verified_at is not null
      returning i.id, i.workspace_id, i.role
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.invitations.declined', ${invitationEvent}
      from declined
    )
    select id from declined`
  if (declined) eventWritten()
  const after = await readOwnInvitation(sql, { id, person, at })
  if (after.state !== 'declined') throw invitationClosed('declined', after.state, 'id')
  return { body: after }
}
