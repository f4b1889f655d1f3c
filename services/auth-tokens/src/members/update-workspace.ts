import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { notAMember, refusalOf, type Verdict } from './member-refusals.ts'
import { refuseWebAddress } from './refuse-web-address.ts'

const workspaceFields = fragment`jsonb_build_object('name', name, 'support_email', support_email)`

interface UpdateWorkspaceResult {
  readonly role: Role | null
  readonly verdict: Verdict
  readonly id: string
  readonly name: string
  readonly owner: string | null
  readonly support_email: string | null
  readonly created_at: number
}

export const updateWorkspace: Handler<typeof authTokens.operations.update_workspace, Deps> = async (
  { params: { id: workspace }, body: { name = null, support_email } },
  caller,
  { sql, eventWritten, call },
) => {
  if (name !== null) refuseWebAddress('name', name)
  const [outcome] = await sql<UpdateWorkspaceResult>`/* auth_tokens.update_workspace */
    with current as materialized (
      select id, name, support_email, created_at, ${workspaceFields} as previous
      from workspaces where id = ${workspace} for no key update
    ), judged as materialized (
      select m.role, case
        when m.role is null then 'not_a_member' when m.role = 'member' then 'admin_needed' else 'ok'
      end as verdict
      from current c left join memberships m on m.workspace_id = c.id and m.user_id = ${personOf(caller)}
    ), changed as (
      update workspaces w set
        name = coalesce(${name}, w.name),
        support_email = case when ${support_email === undefined} then w.support_email else ${support_email ?? null} end
      from current c, judged j where w.id = c.id and j.verdict = 'ok'
      returning w.id, w.name, w.support_email, w.created_at, c.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(workspaceFields))}
      id, 'events.workspaces.updated', jsonb_build_object('workspace_id', id)
      from changed where previous <> ${workspaceFields}
    )
    select j.role, j.verdict, c.id, c.name, workspace_owner(c.id) as owner, c.support_email,
      unix_seconds(c.created_at) as created_at
    from judged j left join changed c on true`
  if (!outcome) throw notAMember()
  const { verdict, ...body } = outcome
  const refused = refusalOf(verdict, { role: body.role, path: 'id' })
  if (refused) throw refused
  eventWritten()
  return { body: { ...body, role: body.role ?? 'member' } }
}
