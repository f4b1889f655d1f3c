import type { Permission } from '@svc/contract/core/permissions'

export interface Granted {
  readonly scope: Permission[] | null
  readonly workspace_id: string | null
  readonly lifetime_seconds?: number | null
}

/** For an answer, which leaves out what is not limited. */
export const granted = ({ scope, workspace_id, lifetime_seconds = null }: Granted) => ({
  ...(scope && { permissions: scope }),
  ...(workspace_id !== null && { workspace_id }),
  ...(lifetime_seconds !== null && { expires_in: lifetime_seconds }),
})
