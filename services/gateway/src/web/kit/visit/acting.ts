/** The workspace a person acts in: looked up with each request, never taken from a form. */
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { type Caller, workspaceId } from '@svc/contract/core/caller'
import type { FastifyRequest } from 'fastify'
import { callContext } from '../../../edge/forward/call-context.ts'
import { sessionToken } from './session-cookie.ts'
import { isRestricted, type Person, type VisitDeps } from './visit.ts'

export interface Workspace {
  readonly id: string
  readonly name: string
  readonly owner: string | null
  readonly support_email: string | null
  readonly require_second_factor: boolean
}

export type Member = Caller & { readonly workspace: string }

/** The workspace demands a second factor that the session does not have: nothing of it may be shown. */
export const lacksFactor = (member: Member): boolean =>
  'factor_missing' in member && member.factor_missing === true

const maxWorkspaces = 100

export async function workspacesOf(
  { caller }: Person,
  request: FastifyRequest,
  { call }: VisitDeps,
): Promise<Workspace[]> {
  const { data } = await invoke(call, authTokens, 'list_workspaces', {
    caller,
    query: { limit: `${maxWorkspaces}` },
    ...callContext(request),
  })
  return data.map(({ role: _, created_at: __, ...workspace }) => workspace).reverse()
}

/** The person as a member of the workspace; undefined if they are not one. */
export async function actingIn(
  workspace: string,
  request: FastifyRequest,
  { resolve }: VisitDeps,
): Promise<Member | undefined> {
  const token = sessionToken(request)
  if (token === undefined || !workspaceId.safeParse(workspace).success) return undefined
  const caller = await resolve(token, workspace, request.deadline)
  return caller.workspace === workspace && !isRestricted(caller) ? (caller as Member) : undefined
}
