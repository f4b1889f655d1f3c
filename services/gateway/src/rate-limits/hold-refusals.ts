/**
 * Refusals that wait. A refusal costs little, but who sends the next request as soon as one is refused makes it cost as much as
 * they like: so the first ones are answered at once, and more than that in a second only after a while.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'

const atOnce = 100
const perSecond = 100
const longestMs = 1000
const maxKeys = 10_000

/**
 * Settles when a refusal of `key` may be answered. Who sends more on a connection whose refusal waits loses the connection: what
 * waits is bounded by the connections, which are bounded for each address.
 */
export type HoldRefusal = (key: string, request: FastifyRequest) => Promise<void>

export function createHoldRefusals(now: () => number = () => performance.now()): HoldRefusal {
  /** When the next one of a key is due, by its pace. */
  const due = new Map<string, number>()
  const waiting = new WeakSet<object>()

  return async (key, { raw: { socket } }) => {
    const time = now()
    const next = Math.max(due.get(key) ?? 0, time) + 1000 / perSecond
    if (due.size >= maxKeys) forget(time)
    due.set(key, Math.min(next, time + (1000 * atOnce) / perSecond + longestMs))
    const ms = Math.min(next - time - (1000 * atOnce) / perSecond, longestMs)
    if (ms <= 0) return
    if (waiting.has(socket)) {
      socket.destroy()
      return
    }
    waiting.add(socket)
    // Those that were refused together shall not come again together.
    await delay(ms * (0.5 + Math.random() / 2), undefined, { ref: false })
    waiting.delete(socket)
  }

  function forget(time: number) {
    for (const [key, at] of due) if (at <= time) due.delete(key)
    if (due.size >= maxKeys) due.clear()
  }
}
