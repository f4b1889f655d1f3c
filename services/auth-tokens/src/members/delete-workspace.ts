import { invoke } from '@svc/bus/invoke'
import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import { compute } from '@svc/contract/compute/compute'
import { ApiError, refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { roleTooLow } from '@svc/contract/core/refuse-caller'
import { offers } from '@svc/contract/offers/offers'
import { byJson } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { workspacePrincipal } from '../leases/principals.ts'
import { personOf } from '../people/person.ts'
import { notAMember } from './member-refusals.ts'

/** Time that remains after the answers of other services. */
const reserveMs = 1500

interface DeleteWorkspaceResult {
  readonly gone: boolean | null
  readonly actor_role: Role | null
  readonly deleted: boolean | null
}

/**
 * Orders and installs belong to offers, and so does the decision: it finds one, or closes the workspace to orders
 * until it is deleted (docs/people/deletion.md).
 */
export const deleteWorkspace: Handler<typeof authTokens.operations.delete_workspace, Deps> = async (
  { params: { id: workspace } },
  caller,
  deps,
) => {
  const { sql, now, recall, eventWritten, call } = deps
  const person = personOf(caller)
  const [actor] = await sql<{ role: Role }>`/* auth_tokens.find_own_role */
    select role from memberships where workspace_id = ${workspace} and user_id = ${person}`
  if (actor?.role === 'owner') await refuseUsed(workspace, deps)
  const [outcome] = await sql<DeleteWorkspaceResult>`/* auth_tokens.delete_workspace */
    select gone, actor_role, deleted
    from delete_workspace(${workspace}, ${person}, to_timestamp(${now() / 1000}), ${byJson(call.by)})`
  const { gone, actor_role, deleted } = outcome as DeleteWorkspaceResult
  if (deleted) eventWritten()
  // Also if it was deleted before, by a process that may have died before its recall.
  if (deleted || gone) await recall(workspacePrincipal(workspace))
  if (deleted) return { body: undefined }
  throw actor_role ? roleTooLow(['owner'], actor_role) : notAMember()
}

async function refuseUsed(workspace: string, { callBus, call }: Deps) {
  const asked = {
    caller: { kind: 'internal', id: 'auth-tokens', workspace },
    deadline: call.deadline - reserveMs,
    requestId: call.request_id,
  } as const
  try {
    const { data } = await invoke(callBus, compute, 'list_clusters', { ...asked, query: { limit: '1' } })
    if (data[0]) throw inUse({ cluster: data[0].id })
    const { used_by } = await invoke(callBus, offers, 'close_workspace', {
      ...asked,
      body: { is_deleted: false },
    })
    if (Object.keys(used_by).length > 0) throw inUse(used_by)
  } catch (error) {
    throw error instanceof ApiError && error.tag === 'Timeout' ? cannotSay() : error
  }
}

const cannotSay = () =>
  refusal('unavailable', {
    message: 'We cannot tell right now whether anything refers to the workspace. It is safe to try again.',
  })

function inUse(usedBy: Record<string, string>): ApiError {
  const named = Object.entries(usedBy).map(([kind, id]) => `${kind} ${id}`)
  return refusal('in_use', {
    path: ['id'],
    message: `It cannot be deleted: ${named.join(' and ')} ${named.length > 1 ? 'refer' : 'refers'} to it.`,
    metadata: usedBy,
  })
}
