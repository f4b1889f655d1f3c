import { roles } from './caller.ts'
import type { Access } from './operation.ts'

const anyCredential = ['session', 'api_token', 'jwt'] as const

export const workspaceMember = {
  credentials: anyCredential,
  workspace: true,
  roles,
} as const satisfies Access

export const workspaceAdmin = {
  credentials: anyCredential,
  workspace: true,
  roles: ['owner', 'admin'],
} as const satisfies Access

export const person = {
  credentials: ['session', 'jwt'],
  workspace: false,
  roles: [],
} as const satisfies Access

export const personOrToken = { ...person, credentials: anyCredential } as const satisfies Access

/** Any member of the workspace in the path, and its API tokens. */
export const memberOfPath = { ...personOrToken, roles, workspaceParam: 'id' } as const satisfies Access

/** Members of the workspace in the path; the operation checks their role. */
export const personOfPath = { ...person, roles, workspaceParam: 'id' } as const satisfies Access

export const adminOfPath = {
  ...person,
  roles: ['owner', 'admin'],
  workspaceParam: 'id',
} as const satisfies Access

/** A person at a browser, through the pages of the gateway. */
export const browser = { ...person, credentials: ['session'], gateway: true } as const satisfies Access

/** Anyone with a link; identified if they send a credential. */
export const anybody = { ...personOrToken, anonymous: true, email: true } as const satisfies Access

export const customer = { ...workspaceMember, email: true } as const satisfies Access

export const internalForWorkspace = { credentials: [], workspace: true, roles: [] } as const satisfies Access

export const internal = { credentials: [], workspace: false, roles: [] } as const satisfies Access

export const clusterAgent = { ...internal, agent: true } as const satisfies Access

export const forGateway = { ...internal, gateway: true } as const satisfies Access
