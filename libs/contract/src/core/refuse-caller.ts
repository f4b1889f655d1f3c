/** Checked by the gateway, and again by the service. */
import { type Caller, maskOfCaller, type Role } from './caller.ts'
import { type ApiError, refusal, stepUpSeconds } from './errors.ts'
import type { Operation } from './operation.ts'
import { allows, beyondMembers, type Permission, wholeAccount } from './permissions.ts'

/** What may pass between the decisions of the gateway and of the service, with the difference of their clocks. */
const sinceAdmittedSeconds = 10

/**
 * Checks the caller in the order of docs/specification.md, R9 to R13, R84 and R93: kind of credential, workspace
 * context, role, permission, and when the person last proved who they are.
 *
 * @param admittedEarlier for a service: the gateway has decided before
 * @returns the refusal (401, 403), or undefined if the caller is admitted
 */
export function refuseCaller(
  operation: Operation,
  caller: Caller,
  admittedEarlier?: true,
): ApiError | undefined {
  const { access, stepUp } = operation
  const refused =
    refuseKind(operation, caller) ??
    (access.workspace ? refuseInWorkspace(operation, caller) : refuseOutside(operation, caller))
  if (refused || stepUp !== true) return refused
  return refuseStale(caller, Date.now() / 1000 - (admittedEarlier ? sinceAdmittedSeconds : 0))
}

export function refuseKind({ access }: Operation, caller: Caller): ApiError | undefined {
  // Agents call through separate subjects.
  if (access.agent) return refusal('credential_kind')
  if (caller.kind === 'internal') {
    return access.workspace && !caller.workspace ? refusal('workspace_required') : undefined
  }
  if (caller.kind === 'anonymous') return access.anonymous ? undefined : refusal('credential_missing')
  return access.credentials.includes(caller.kind) ? undefined : refusal('credential_kind')
}

export function refuseInWorkspace(operation: Operation, caller: Caller): ApiError | undefined {
  const { access, permission } = operation
  if (caller.kind === 'internal') return undefined
  if (caller.kind === 'anonymous' || !caller.workspace || !caller.role) return refusal('workspace_required')
  const refused = refuseWithoutFactor(caller)
  if (refused) return refused
  const isGranted =
    caller.kind === 'api_token' &&
    permission !== undefined &&
    beyondMembers.includes(permission) &&
    caller.can !== undefined &&
    allows(caller.can, permission)
  if (isGranted) return undefined
  if (!access.roles.includes(caller.role)) return roleTooLow(access.roles, caller.role)
  return refusePermission(operation, caller)
}

/** The workspace may be in the path: the look-up was for that one. */
const refuseOutside = (operation: Operation, caller: Caller): ApiError | undefined =>
  (operation.access.workspaceParam && refuseWithoutFactor(caller)) || refusePermission(operation, caller)

/** Outside of a workspace a restricted credential may do what needs no credential, and what is about itself (R84, R88). */
function refusePermission({ access, permission }: Operation, caller: Caller): ApiError | undefined {
  const mask = maskOfCaller(caller)
  if (mask === undefined) return undefined
  if (permission === undefined) {
    const isItself = access.itself === 'session' ? caller.kind === 'session' : access.itself
    return access.anonymous || isItself ? undefined : permissionMissing(wholeAccount)
  }
  return allows(mask, permission) ? undefined : permissionMissing(permission)
}

export const permissionMissing = (permission: Permission | typeof wholeAccount): ApiError =>
  refusal('permission_missing', {
    message: `This requires the permission ${permission}, which the credential does not have.`,
    metadata: { permission },
  })

/** @throws ApiError `permission_missing`; for what an operation does only in some cases */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (!allows(maskOfCaller(caller), permission)) throw permissionMissing(permission)
}

/**
 * Refuses a person who has not proved who they are for ten minutes. API tokens and programs are not people.
 *
 * @param now Unix seconds
 */
export const refuseStale = (caller: Caller, now: number): ApiError | undefined =>
  'auth_time' in caller && caller.auth_time !== undefined && caller.auth_time < now - stepUpSeconds
    ? refusal('step_up_required')
    : undefined

const refuseWithoutFactor = (caller: Caller): ApiError | undefined =>
  'factor_missing' in caller && caller.factor_missing ? refusal('second_factor_required') : undefined

export const roleTooLow = (needed: readonly Role[], role: Role): ApiError =>
  refusal('role_too_low', {
    message: `This requires the role ${needed.join(' or ')} in the workspace; the credential has the role ${role}.`,
  })
