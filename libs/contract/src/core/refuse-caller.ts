/** Checked by the gateway, and again by the service. */
import type { Caller, Role } from './caller.ts'
import { type ApiError, refusal } from './errors.ts'
import type { Operation } from './operation.ts'

/**
 * Checks the caller in the order of docs/specification.md, R9 to R13: kind of credential, workspace context, role.
 *
 * @returns the refusal (403), or undefined if the caller is admitted
 */
export function refuseCaller(operation: Operation, caller: Caller): ApiError | undefined {
  const { access } = operation
  // Agents call through separate subjects.
  if (access.agent) return refusal('credential_kind')
  if (caller.kind === 'internal') {
    return access.workspace && !caller.workspace ? refusal('workspace_required') : undefined
  }
  if (caller.kind === 'anonymous') return access.anonymous ? undefined : refusal('credential_missing')
  if (!access.credentials.includes(caller.kind)) return refusal('credential_kind')
  if (!access.workspace) return undefined
  return refuseRole(operation, caller)
}

export function refuseRole({ access }: Operation, caller: Caller): ApiError | undefined {
  if (caller.kind === 'internal') return undefined
  if (caller.kind === 'anonymous' || !caller.workspace || !caller.role) return refusal('workspace_required')
  if (access.roles.includes(caller.role)) return undefined
  return roleTooLow(access.roles, caller.role)
}

export const roleTooLow = (needed: readonly Role[], role: Role): ApiError =>
  refusal('role_too_low', {
    message: `This requires the role ${needed.join(' or ')} in the workspace; the credential has the role ${role}.`,
  })
