/** What operations on invitations have in common. */
import { type ApiError, refusal } from '@svc/contract/errors'
import type { invitationOperations } from '@svc/contract/invitations'
import type { Sql } from '@svc/runtime/database'
import type { z } from 'zod'
import { weekInSeconds } from './attempts.ts'

export const invitationLifetimeSeconds = weekInSeconds

type OwnInvitation = z.input<typeof invitationOperations.accept_invitation.output>

export type OwnInvitationRow = Omit<OwnInvitation, 'workspace'> & {
  readonly workspace_id: string
  readonly workspace_name: string
  readonly workspace_owner: string | null
}

export const ownInvitation = ({
  workspace_id,
  workspace_name,
  workspace_owner,
  ...rest
}: OwnInvitationRow): OwnInvitation => ({
  ...rest,
  workspace: { id: workspace_id, name: workspace_name, owner: workspace_owner },
})

/**
 * An invitation as whom it is for sees it, in whatever state.
 *
 * @param at now, in Unix seconds
 * @throws ApiError `NotFound` where there is none for an address that the person has verified
 */
export async function readOwnInvitation(
  sql: Sql,
  { id, person, at }: { id: string; person: string; at: number },
): Promise<OwnInvitation> {
  const [found] = await sql<OwnInvitationRow>`
    select i.id, i.email, i.role, invitation_state(i, to_timestamp(${at})) as state, inviter.email as invited_by,
      floor(extract(epoch from i.created_at))::bigint as created_at,
      floor(extract(epoch from i.expires_at))::bigint as expires_at,
      w.id as workspace_id, w.name as workspace_name, workspace_owner(w.id) as workspace_owner
    from invitations i
    join users u on u.email = i.email and u.id = ${person} and u.verified_at is not null
    join workspaces w on w.id = i.workspace_id
    left join users inviter on inviter.id = i.invited_by
    where i.id = ${id}`
  if (!found) throw refusal('not_found', { path: ['id'], message: 'There is no such invitation for you.' })
  return ownInvitation(found)
}

/** @param what was to be done, as in: it cannot be `what` any more */
export const invitationClosed = (what: string, state: string, path: string): ApiError =>
  refusal('invitation_closed', {
    path: [path],
    message: `The invitation is ${state}, so it cannot be ${what}.`,
    metadata: { state },
  })
