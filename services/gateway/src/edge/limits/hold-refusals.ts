/**
 * Delays refusals. One refusal costs little, but a client that sends the next request at once could make them
 * cost a lot. So the first ones in a second are answered immediately and further ones are delayed.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { createPace } from './pace.ts'

const atOnce = 20
const perSecond = 20
/** Below the time-outs of load balancers and of most clients. */
const longestMs = 8000

/**
 * Resolves when a refusal of `key` may be sent. A connection that sends more while its refusal waits is
 * closed, so delayed refusals are bounded by connections, which are bounded per address.
 */
export type HoldRefusal = (key: string, request: FastifyRequest) => Promise<void>

/** After `leaving`, refusals are sent at once, so that they do not delay the stop. */
export function createHoldRefusals(leaving: AbortSignal, now?: () => number): HoldRefusal {
  // One listener for each refusal that waits.
  setMaxListeners(0, leaving)
  const pace = createPace({ atOnceMs: (1000 * atOnce) / perSecond, longestMs, ...(now && { now }) })
  const waiting = new WeakSet<object>()

  return async (key, { raw: { socket } }) => {
    const ms = Math.min(pace(key, 1000 / perSecond), longestMs)
    if (ms <= 0 || leaving.aborted) return
    if (waiting.has(socket)) {
      socket.destroy()
      return
    }
    waiting.add(socket)
    // Refusals that came together should not be retried together.
    const waited = delay(ms * (0.5 + Math.random() / 2), undefined, { ref: false, signal: leaving })
    await waited.catch(() => {})
    waiting.delete(socket)
  }
}
