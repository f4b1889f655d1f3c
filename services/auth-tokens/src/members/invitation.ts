import { type ApiError, refusal } from '@svc/contract/core/errors'
import type { operation } from '@svc/contract/auth-tokens/invitations/accept-invitation'
import type { Sql } from '@svc/runtime/database'
import type { z } from 'zod'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { weekInSeconds } from '../credentials/attempts.ts'

export const invitationLifetimeSeconds = weekInSeconds

type OwnInvitation = z.input<typeof operation.output>

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

export const madeColumns = fragment`
  inviter.email as invited_by, unix_seconds(i.created_at) as created_at, unix_seconds(i.expires_at) as expires_at`

export const ownColumns = (state: Fragment): Fragment => fragment`
  i.id, i.email, i.role, ${state} as state, ${madeColumns},
  w.id as workspace_id, w.name as workspace_name, workspace_owner(w.id) as workspace_owner`

export const invitationEvent = fragment`jsonb_build_object('workspace_id', workspace_id, 'role', role)`

/**
 * An invitation as the invited person sees it, in any state.
 *
 * @param at now, in Unix seconds
 * @throws ApiError `NotFound` if there is none for a verified address of the person
 */
export async function readOwnInvitation(
  sql: Sql,
  { id, person, at }: { id: string; person: string; at: number },
): Promise<OwnInvitation> {
  const [found] = await sql<OwnInvitationRow>`/* auth_tokens.read_own_invitation */
    select ${ownColumns(fragment`invitation_state(i, to_timestamp(${at}))`)}
    from invitations i
    join users u on u.email = i.email and u.id = ${person} and u.verified_at is not null
    join workspaces w on w.id = i.workspace_id
    left join users inviter on inviter.id = i.invited_by
    where i.id = ${id}`
  if (!found) throw refusal('not_found', { path: ['id'], message: 'You have no such invitation.' })
  return ownInvitation(found)
}

/** @param what the step as a participle, as in: it cannot be `what` */
export const invitationClosed = (what: string, state: string, path: string): ApiError =>
  refusal('invitation_closed', {
    path: [path],
    message: `The invitation is ${state}, so it cannot be ${what}.`,
    metadata: { state },
  })
