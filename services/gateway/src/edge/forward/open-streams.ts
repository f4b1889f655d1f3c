/**
 * Limits on streamed answers: how many may be open, for how long, and how slowly they may be read
 * (docs/bounds/limits.md).
 */
import { credentialKey } from '@svc/bus/flow'
import type { Caller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import type { ServerResponse } from 'node:http'

export interface StreamBounds {
  readonly perCredential: number
  readonly perWorkspace: number
  readonly total: number
  readonly lifetimeMs: number
  /** A stream is also closed if no page of it is read for this long. */
  readonly unreadMs: number
}

export const streamBounds: StreamBounds = {
  perCredential: 4,
  perWorkspace: 16,
  total: 256,
  lifetimeMs: 600_000,
  unreadMs: 30_000,
}

/**
 * Counts the answer until it is closed, and ends it after its lifetime.
 *
 * @returns how long a page of it may stay unread, in milliseconds
 * @throws ApiError `RateLimited` if the caller or their workspace has too many, `Unavailable` if there are too many
 * in all
 */
export type OpenStream = (caller: Caller, response: ServerResponse) => number

export function createOpenStreams(given: Partial<StreamBounds> = {}): OpenStream {
  const bounds = { ...streamBounds, ...given }
  const open = new Map<string, number>()
  return (caller, response) => {
    const counted = [
      { key: 'all', most: bounds.total },
      { key: `workspace ${caller.workspace}`, most: bounds.perWorkspace },
      { key: `credential ${credentialKey(caller)}`, most: bounds.perCredential },
    ]
    const full = counted.findLastIndex(({ key, most }) => (open.get(key) ?? 0) >= most)
    // The `close` event has already been emitted.
    if (full === 0 || response.closed) throw refusal('overloaded')
    if (full > 0) throw tooMany(full === 1 ? 'in your workspace' : 'with this credential')
    for (const { key } of counted) open.set(key, (open.get(key) ?? 0) + 1)
    const end = setTimeout(() => response.destroy(), bounds.lifetimeMs)
    response.once('close', () => {
      clearTimeout(end)
      for (const { key } of counted) {
        const left = (open.get(key) ?? 1) - 1
        if (left > 0) open.set(key, left)
        else open.delete(key)
      }
    })
    return bounds.unreadMs
  }
}

const tooMany = (whose: string) =>
  refusal('too_many_connections', {
    message: `Too many answers with all pages of a list are being read ${whose}. Read one to its end first, or close it.`,
    headers: { 'Retry-After': '5' },
  })
