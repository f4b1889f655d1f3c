import type { Role } from '@svc/contract/core/caller'
import { fragment } from '@svc/runtime/sql-fragment'

export interface WorkspaceRow {
  id: string
  name: string
  role: Role
  owner: string | null
  support_email: string | null
  require_second_factor: boolean
  created_at: number
}

/** Expects `memberships m` and `workspaces w`. */
export const workspaceColumns = fragment`
  w.id, w.name, m.role, workspace_owner(w.id) as owner, w.support_email, w.require_second_factor,
  unix_seconds(w.created_at) as created_at`
