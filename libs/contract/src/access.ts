/** The kinds of access that operations share. */
import { roles } from './caller.ts'
import type { Access } from './operation.ts'

const anyCredential = ['session', 'api_token', 'jwt'] as const

/** Any member of the workspace, with any kind of credential. */
export const workspaceMember = {
  credentials: anyCredential,
  workspace: true,
  roles,
} as const satisfies Access

/** The workspace's owner or admin. */
export const workspaceAdmin = {
  credentials: anyCredential,
  workspace: true,
  roles: ['owner', 'admin'],
} as const satisfies Access

/** Internal programs on the bus, for a workspace named in `Svc-Caller`. */
export const internalForWorkspace = { credentials: [], workspace: true, roles: [] } as const satisfies Access

/** Internal programs on the bus. */
export const internal = { credentials: [], workspace: false, roles: [] } as const satisfies Access
