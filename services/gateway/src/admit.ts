/** Who is calling, and for which workspace: 401, then 403, then 400 (specification, "Workspace scoping"). */
import { type Caller, workspaceId } from '@svc/contract/caller'
import { type ApiError, refusal } from '@svc/contract/errors'
import type { Operation } from '@svc/contract/operation'
import { refuseCaller, refuseRole } from '@svc/contract/refuse-caller'
import type { IncomingMessage } from 'node:http'
import type { ResolveCredential } from './credentials.ts'
import { nobody } from './gateway-caller.ts'

/**
 * Resolves the caller of a request to `operation` before `deadline` (Unix milliseconds).
 *
 * @throws ApiError when the credential, the workspace context or the role does not admit it
 */
export async function admit(
  operation: Operation,
  request: IncomingMessage,
  params: Record<string, string>,
  resolve: ResolveCredential,
  deadline: number,
): Promise<Caller> {
  if (comesAsNobody(operation, request)) return nobody
  const context = request.headers['svc-context'] as string | undefined
  const wellFormed = context === undefined || isWorkspaceId(context)
  const inPath = workspaceInPath(operation, params)
  const caller = await resolve(bearer(request), inPath ?? (wellFormed ? context : undefined), deadline)
  const refused = wellFormed ? refuseContext(caller, context, inPath) : undefined
  if (refused) throw refused
  if (!wellFormed) throw refuseMalformedContext(operation, caller)
  const notAdmitted = refuseCaller(operation, caller) ?? refuseInPath(operation, caller, inPath)
  if (notAdmitted) throw notAdmitted
  return caller
}

/** Nobody acts in a workspace, so Svc-Context means nothing there; what is sent as a credential has to be a good one. */
const comesAsNobody = ({ access }: Operation, { headers }: IncomingMessage) =>
  access.anonymous && (access.credentials.length === 0 || headers.authorization === undefined)

const isWorkspaceId = (text: string) => workspaceId.safeParse(text).success

/** The workspace that the path names; undefined as well where no workspace can have that name. */
function workspaceInPath({ access }: Operation, params: Record<string, string>): string | undefined {
  const named = access.workspaceParam && params[access.workspaceParam]
  return named && isWorkspaceId(named) ? named : undefined
}

/** An unknown workspace answers as a foreign one does. */
function refuseInPath(operation: Operation, caller: Caller, workspace: string | undefined) {
  if (!operation.access.workspaceParam) return undefined
  if (!workspace || caller.workspace !== workspace) {
    return refusal('not_a_member', {
      path: ['id'],
      message: 'The credential may not act in the workspace of the path.',
    })
  }
  return refuseRole(operation, caller)
}

function bearer({ headers }: IncomingMessage): string {
  const [, credential] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
  if (!credential) throw refusal('credential_missing')
  return credential
}

/** The specification's table: an API token acts in its own workspace, a broad credential where it is a member. */
function refuseContext(caller: Caller, context: string | undefined, inPath: string | undefined) {
  if (context === undefined || caller.workspace === context) return undefined
  if (caller.kind === 'api_token') return refusal('workspace_mismatch')
  if (!inPath || caller.workspace !== inPath) return refusal('not_a_member')
  return refusal('workspace_mismatch', {
    message: 'Svc-Context names another workspace than the path. Leave the header out.',
  })
}

/** 400, unless the caller would be refused in whatever workspace the header had named. */
function refuseMalformedContext(operation: Operation, caller: Caller): ApiError {
  const refused =
    caller.kind === 'api_token' || !operation.access.workspace ? refuseCaller(operation, caller) : undefined
  return (
    refused ??
    refusal('invalid_header', {
      path: ['Svc-Context'],
      message: 'Svc-Context must be a workspace id of the form ws_<id>, of at most 53 characters.',
    })
  )
}
