import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { hasFactor } from '../factors/has-factor.ts'
import { workspacePrincipal } from '../leases/principals.ts'
import { personOf } from '../people/person.ts'
import { notAMember, refusalOf, type Verdict } from './member-refusals.ts'
import { refuseWebAddress } from './refuse-web-address.ts'

const workspaceFields = fragment`jsonb_build_object(
  'name', name, 'support_email', support_email, 'require_second_factor', require_second_factor
)`

interface UpdateWorkspaceResult {
  readonly role: Role | null
  readonly verdict: Verdict
  readonly id: string
  readonly name: string
  readonly owner: string | null
  readonly support_email: string | null
  readonly require_second_factor: boolean
  readonly created_at: number
}

export const updateWorkspace: Handler<typeof authTokens.operations.update_workspace, Deps> = async (
  { params: { id: workspace }, body: { name = null, support_email, require_second_factor: demand = null } },
  caller,
  { sql, recall, eventWritten, call },
) => {
  if (name !== null) refuseWebAddress('name', name)
  const person = personOf(caller)
  const [outcome] = await sql<UpdateWorkspaceResult>`/* auth_tokens.update_workspace */
    with current as materialized (
      select id, name, support_email, require_second_factor, created_at, ${workspaceFields} as previous
      from workspaces where id = ${workspace} for no key update
    ), judged as materialized (
      select m.role, case
        when m.role is null then 'not_a_member' when m.role = 'member' then 'admin_needed'
        when m.role <> 'owner' and ${demand}::boolean is not null then 'owner_needed'
        when ${demand}::boolean and not ${hasFactor(fragment`m.user_id`)} then 'factor_needed'
        else 'ok'
      end as verdict
      from current c left join memberships m on m.workspace_id = c.id and m.user_id = ${person}
    ), changed as (
      update workspaces w set
        name = coalesce(${name}, w.name),
        support_email = case when ${support_email === undefined} then w.support_email else ${support_email ?? null} end,
        require_second_factor = coalesce(${demand}, w.require_second_factor)
      from current c, judged j where w.id = c.id and j.verdict = 'ok'
      returning w.id, w.name, w.support_email, w.require_second_factor, w.created_at, c.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(workspaceFields))}
      id, 'events.workspaces.updated', jsonb_build_object('workspace_id', id)
      from changed where previous <> ${workspaceFields}
    )
    select j.role, j.verdict, c.id, c.name, workspace_owner(c.id) as owner, c.support_email,
      c.require_second_factor,
      unix_seconds(c.created_at) as created_at
    from judged j left join changed c on true`
  if (!outcome) throw notAMember()
  const { verdict, ...body } = outcome
  const refused = refusalOf(verdict, { role: body.role, path: 'id' })
  if (refused) throw refused
  eventWritten()
  // Also where it was demanded before: by a process that may have died before its recall.
  await recall(...(demand === null ? [] : [workspacePrincipal(workspace)]))
  return { body: { ...body, role: body.role ?? 'member' } }
}
