import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { invitationClosed, invitationEvent } from './invitation.ts'
import { notAMember, refusalOf, type Verdict } from './member-refusals.ts'
import { personOf } from '../people/person.ts'
import { lockedWorkspace } from './workspace-turn.ts'

/** Serialised as in update-member.ts. An expired invitation is removed from the list as well. */
export const revokeInvitation: Handler<typeof authTokens.operations.revoke_invitation, Deps> = async (
  { params: { id: workspace, invitation_id } },
  caller,
  { sql, now, eventWritten, call },
) => {
  const at = now() / 1000
  const [outcome] = await sql<{
    actor_role: Role | null
    verdict: Verdict
    revoked: boolean
  }>`/* auth_tokens.revoke_invitation */
    with ${lockedWorkspace(workspace)}, judged as materialized (
      select actor.role as actor_role, case
        when actor.role is null then 'not_a_member'
        when actor.role = 'member' then 'admin_needed'
        else 'ok'
      end as verdict
      from workspace w left join lateral membership_now(w.id, ${personOf(caller)}) actor on true
    ), revoked as (
      update invitations i set revoked_at = to_timestamp(${at})
      from judged
      where judged.verdict = 'ok' and i.id = ${invitation_id} and i.workspace_id = ${workspace} and i.open
      returning i.id, i.workspace_id, i.role
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.invitations.revoked', ${invitationEvent}
      from revoked
    )
    select actor_role, verdict, exists (select from revoked) as revoked from judged`
  if (!outcome) throw notAMember()
  const refused = refusalOf(outcome.verdict, { role: outcome.actor_role, path: 'invitation_id' })
  if (refused) throw refused
  if (outcome.revoked) eventWritten()
  else await expectRevoked()
  return { body: undefined }

  async function expectRevoked() {
    const [found] = await sql<{ state: string }>`/* auth_tokens.read_invitation_state */
      select invitation_state(i, to_timestamp(${at})) as state from invitations i
      where i.id = ${invitation_id} and i.workspace_id = ${workspace}`
    if (!found) {
      throw refusal('not_found', {
        path: ['invitation_id'],
        message: 'There is no such invitation to this workspace.',
      })
    }
    if (found.state !== 'revoked') throw invitationClosed('revoked', found.state, 'invitation_id')
  }
}
