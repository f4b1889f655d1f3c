import { randomFillSync } from 'node:crypto'
import type { computeSettings } from '@svc/contract/compute/compute'
import { ApiError, bareError } from '@svc/contract/core/errors'
import type { z } from 'zod'
import { fragment } from '@svc/runtime/sql-fragment'

export interface SettingsRow {
  auto_scaling_enabled: boolean
  machines: number
  max_machines: number
  updated_at: number
  etag: string
}

export const settingsColumns = fragment`
  auto_scaling_enabled, machines, max_machines, unix_seconds(updated_at) as updated_at, etag`

const etagBytes = 12
/** Drawing many random bytes at once costs no more than drawing a few. */
const drawn = Buffer.alloc(256 * etagBytes)
let used = drawn.length

/** Etags need not be unguessable, but must never repeat. */
export function newEtag(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += etagBytes
  return drawn.toString('base64url', used - etagBytes, used)
}

export const settingsOf = ({
  auto_scaling_enabled,
  machines,
  max_machines,
  updated_at,
  etag,
}: SettingsRow): z.input<typeof computeSettings> => ({
  auto_scaling: auto_scaling_enabled ? 'active' : 'inactive',
  machines,
  max_machines,
  updated_at,
  etag,
})

export const settingsReply = (row: SettingsRow) => ({
  body: settingsOf(row),
  headers: { ETag: `"${row.etag}"` },
})

/** Turns database failures into the specification's error body; `cause` names only the kind. */
export async function querying<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (error instanceof ApiError && error.reason) {
      throw bareError('ComputeSettingsQueryError', { cause: error.reason })
    }
    throw error
  }
}
