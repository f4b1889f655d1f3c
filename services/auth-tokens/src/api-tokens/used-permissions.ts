/** Permission n of the contract's list is bit n of the column `used`. */
import { type Permission, permissions, permissionsIn } from '@svc/contract/core/permissions'
import { tokenPermissions } from '@svc/contract/token-permissions'

export const keptDays = 30

const bitOf = (permission: Permission): bigint => 1n << BigInt(permissions.indexOf(permission))

/** @param mask as a caller carries it */
export const usedBits = (mask: string): bigint =>
  permissionsIn(mask).reduce((bits, permission) => bits | bitOf(permission), 0n)

/**
 * @param can null: as a member may
 * @param used null: nothing
 */
export function usedOf(can: string | null, used: number | null) {
  const bits = BigInt(used ?? 0)
  const may = can === null ? tokenPermissions : permissionsIn(can)
  const isUsed = (permission: Permission) => (bits & bitOf(permission)) !== 0n
  return {
    used_permissions: may.filter(isUsed),
    unused_permissions: may.filter(permission => !isUsed(permission)),
  }
}

/** The first of the days that count, as a date of UTC. */
export const firstKeptDay = (seconds: number): string =>
  new Date((seconds - keptDays * 24 * 60 * 60) * 1000).toISOString().slice(0, 10)
