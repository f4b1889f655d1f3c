import { setTimeout as delay } from 'node:timers/promises'
import { scaled } from '@svc/contract/core/deadline-scale'

/**
 * Calls `check` every `everyMs` until it returns true. `check` may call `giveUp` to end the wait with that error at
 * once.
 *
 * @param options.timeoutMs minutes by default, so set it if a person waits
 * @throws Error with `what` and the last error of `check` after `timeoutMs`
 */
export async function waitUntil(
  what: string,
  check: (giveUp: (reason: Error) => void) => Promise<boolean> | boolean,
  {
    timeoutMs = scaled(150_000),
    everyMs = 25,
    signal,
  }: { timeoutMs?: number; everyMs?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let fatal: Error | undefined
  let last: unknown
  for (;;) {
    signal?.throwIfAborted()
    try {
      const done = await check(reason => {
        fatal = reason
      })
      if (done) return
    } catch (error) {
      last = error
    }
    if (fatal) throw fatal
    if (Date.now() >= deadline) {
      const seconds = Math.round(timeoutMs / 100) / 10
      throw new Error(
        `${what}: not within ${seconds} s${last instanceof Error ? ` (${describe(last)})` : ''}`,
      )
    }
    await delay(everyMs)
  }
}

/** An error in one line. The AggregateError of a refused connection has an empty message. */
export function describe(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(describe).join(', ')
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return error.message || code || error.name
}
