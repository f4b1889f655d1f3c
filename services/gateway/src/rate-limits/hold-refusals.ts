/**
 * Delays refusals. One refusal costs little, but a client that sends the next request at once could make them
 * cost a lot. So the first ones in a second are answered immediately and further ones are delayed.
 */
import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

const atOnce = 20
const perSecond = 20
/** Below the time-outs of load balancers and of most clients. */
const longestMs = 8000
const maxKeys = 10_000

/**
 * Resolves when a refusal of `key` may be sent. A connection that sends more while its refusal waits is
 * closed, so delayed refusals are bounded by connections, which are bounded per address.
 */
export type HoldRefusal = (key: string, request: FastifyRequest) => Promise<void>

/** From `leaving` on none is held: whoever waits is answered, and does not keep the process. */
export function createHoldRefusals(
  leaving: AbortSignal,
  now: () => number = () => performance.now(),
): HoldRefusal {
  // One for each refusal that waits.
  setMaxListeners(0, leaving)
  /** When the next one of a key is due, by its pace. */
  const due = new LRUCache<string, number>({ max: maxKeys })
  const waiting = new WeakSet<object>()

  return async (key, { raw: { socket } }) => {
    const time = now()
    const next = Math.max(due.get(key) ?? 0, time) + 1000 / perSecond
    due.set(key, Math.min(next, time + (1000 * atOnce) / perSecond + longestMs))
    const ms = Math.min(next - time - (1000 * atOnce) / perSecond, longestMs)
    if (ms <= 0 || leaving.aborted) return
    if (waiting.has(socket)) {
      socket.destroy()
      return
    }
    waiting.add(socket)
    // Those that were refused together should not come back together.
    const waited = delay(ms * (0.5 + Math.random() / 2), undefined, { ref: false, signal: leaving })
    await waited.catch(() => {})
    waiting.delete(socket)
  }
}
