/** Who is calling, as it crosses the bus in `Svc-Caller`, and whether an operation admits them. */
import { z } from 'zod'
import { type ApiError, refusal } from './errors.ts'
import type { Operation } from './operation.ts'
import { text, wireId } from './text.ts'

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

export const workspaceId = wireId('ws', 53)

/** A principal. `workspace` and `role` are those that the request acts in, resolved by auth-tokens. */
export const caller = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('api_token'),
    id: text(1, 64),
    workspace: workspaceId,
    // A workspace API token acts as a member: it cannot create or revoke tokens (design, "Roles").
    role: z.literal('member'),
  }),
  z.strictObject({
    kind: z.enum(['session', 'jwt']),
    id: text(1, 64),
    user: text(1, 64),
    workspace: workspaceId.optional(),
    role: z.enum(roles).optional(),
  }),
  // An internal program: the bus permissions of its NATS user decide what it may call.
  z.strictObject({ kind: z.literal('internal'), id: text(1, 64), workspace: workspaceId.optional() }),
])
export type Caller = z.infer<typeof caller>
export type CredentialKind = Exclude<Caller['kind'], 'internal'>

/** The caller of a workspace-scoped operation. */
export type ScopedCaller = Caller & { workspace: string }

/**
 * Refuses a caller that the operation does not admit, in the order of the specification's table
 * "Workspace scoping": kind of credential, workspace context, role.
 *
 * @returns the refusal (403), or undefined when the caller is admitted
 */
export function refuseCaller({ access }: Operation, caller: Caller): ApiError | undefined {
  if (caller.kind === 'internal') {
    return access.workspace && !caller.workspace ? refusal('workspace_required') : undefined
  }
  if (!access.credentials.includes(caller.kind)) return refusal('credential_kind')
  if (!access.workspace) return undefined
  if (!caller.workspace || !caller.role) return refusal('workspace_required')
  if (!access.roles.includes(caller.role)) {
    return refusal('role_too_low', {
      message: `This needs the role ${access.roles.join(' or ')} in the workspace; the credential has the role ${caller.role}.`,
    })
  }
  return undefined
}
