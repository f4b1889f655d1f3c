/** Who is calling, and for which workspace: 401, then 403, then 400 (docs/specification.md, R9 to R12). */
import { type Caller, workspaceId } from '@svc/contract/core/caller'
import { type ApiError, refusal } from '@svc/contract/core/errors'
import type { Operation } from '@svc/contract/core/operation'
import { refuseCaller, refuseInWorkspace, refuseKind } from '@svc/contract/core/refuse-caller'
import type { IncomingMessage } from 'node:http'
import type { ResolveCredential } from './credentials.ts'
import { anonymousCaller } from './gateway-caller.ts'

/**
 * Resolves the caller of a request to `operation` before `deadline` (Unix milliseconds).
 *
 * @throws ApiError if the credential, the workspace context or the role does not admit it
 */
export async function admit(
  operation: Operation,
  request: IncomingMessage,
  params: Record<string, string>,
  resolve: ResolveCredential,
  deadline: number,
): Promise<Caller> {
  if (isAnonymous(operation, request)) return anonymousCaller
  const context = request.headers['svc-context'] as string | undefined
  const wellFormed = context === undefined || isWorkspaceId(context)
  const inPath = workspaceInPath(operation, params)
  const caller = await resolve(bearer(request), inPath ?? (wellFormed ? context : undefined), deadline)
  const refused = wellFormed ? refuseContext(caller, context, inPath) : undefined
  if (refused) throw refused
  if (!wellFormed) throw refuseMalformedContext(operation, caller)
  const notAdmitted = operation.access.workspaceParam
    ? (refuseKind(operation, caller) ?? refuseInPath(operation, caller, inPath))
    : refuseCaller(operation, caller)
  if (notAdmitted) throw notAdmitted
  return caller
}

/**
 * Anonymous callers act in no workspace, so Svc-Context is ignored; a credential that is sent must still be
 * valid.
 */
const isAnonymous = ({ access }: Operation, { headers }: IncomingMessage) =>
  access.anonymous && (access.credentials.length === 0 || headers.authorization === undefined)

const isWorkspaceId = (text: string) => workspaceId.safeParse(text).success

/** The workspace in the path; also undefined if no workspace can have that id. */
function workspaceInPath({ access }: Operation, params: Record<string, string>): string | undefined {
  const named = access.workspaceParam && params[access.workspaceParam]
  return named && isWorkspaceId(named) ? named : undefined
}

/** An unknown workspace gets the same answer as a foreign one. */
function refuseInPath(operation: Operation, caller: Caller, workspace: string | undefined) {
  if (!workspace || caller.workspace !== workspace) {
    return refusal('not_a_member', {
      path: ['id'],
      message: 'The credential has no access to the workspace in the path.',
    })
  }
  return refuseInWorkspace(operation, caller)
}

function bearer({ headers }: IncomingMessage): string {
  const { authorization = '' } = headers
  const [, credential] = /^bearer +(.+)$/i.exec(authorization) ?? []
  if (credential) return credential
  // Not quoted: it may be a credential.
  if (/^\S+$/.test(authorization) && !/^bearer$/i.test(authorization)) {
    throw refusal('credential_missing', {
      path: ['Authorization'],
      message: 'Authorization has no scheme: prefix it with Bearer, as in "Authorization: Bearer <token>".',
    })
  }
  throw refusal('credential_missing')
}

/**
 * An API token and a bound session act in their own workspace, a broad credential where its person is a member
 * (docs/specification.md, R10, R12, R87).
 */
function refuseContext(caller: Caller, context: string | undefined, inPath: string | undefined) {
  if (context === undefined || caller.workspace === context) return undefined
  if (caller.kind === 'api_token' || (!inPath && caller.workspace)) return refusal('workspace_mismatch')
  if (!inPath || caller.workspace !== inPath) return refusal('not_a_member')
  return refusal('workspace_mismatch', {
    message: 'Svc-Context names a workspace other than the one in the path. Leave the header out.',
  })
}

/** 400, unless the caller would be refused in any workspace. */
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
