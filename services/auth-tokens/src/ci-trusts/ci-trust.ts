import { permissionsIn } from '@svc/contract/core/permissions'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Claims } from '@svc/runtime/trusted-workloads'

export interface CiTrustRow {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly claims: Claims
  readonly can: string
  readonly minutes: number
  readonly created_at: number
  readonly created_by: string | null
  readonly last_used_at: number | null
}

export const ciTrustColumns = fragment`
  id, name, issuer, claims, can, minutes, created_by, unix_seconds(created_at) as created_at,
  unix_seconds(last_used_at) as last_used_at`

export const ciTrustRecord = ({ can, ...trust }: CiTrustRow) => ({
  ...trust,
  permissions: permissionsIn(can),
})
