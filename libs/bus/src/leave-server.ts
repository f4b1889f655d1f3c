import { setTimeout as delay } from 'node:timers/promises'
import type { NatsConnection } from 'nats'
import { defaultBudgetMs } from './wire.ts'

/**
 * A step before leaving a server, such as finishing work in progress. `arrived` is aborted when the connection is
 * to another server, or is lost: the step must then stop.
 */
export type BeforeLeaving = (arrived: AbortSignal) => Promise<void>

const finishMs = 1500
const lookEveryMs = 5
const flushMs = 250

/**
 * The total for a service that also calls and publishes events. Servers wait no longer: `lame_duck_grace_period` in
 * deploy/kubernetes/overlays/production/cluster.conf.
 */
export const maxLeaveMs = defaultBudgetMs + finishMs + finishMs + finishMs + flushMs

/**
 * Runs the steps, the last one first, since later parts depend on earlier ones. Then reconnects.
 *
 * @param onClose nothing new may be sent after this
 */
export async function leaveServer(
  nc: NatsConnection,
  steps: readonly BeforeLeaving[],
  arrived: AbortSignal,
  onClose: () => void,
): Promise<void> {
  const inTurn = async () => {
    for (const step of steps.toReversed()) if (!arrived.aborted) await step(arrived)
  }
  // A step fails if the connection is lost, which may not have been reported yet.
  await Promise.race([inTurn().catch(() => arrival(arrived)), arrival(arrived)])
  // The server closed first, or died: the client library has reconnected, or is about to.
  if (arrived.aborted) return
  onClose()
  // The last messages are in the library's buffer, which a new connection would discard.
  const flushed = nc.flush().catch(() => {})
  await Promise.race([flushed, delay(flushMs), arrival(arrived)])
  if (!arrived.aborted) await nc.reconnect()
}

export function arrival(arrived: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (arrived.aborted) resolve()
    else arrived.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Resolves when `count` is 0, after `ms`, or when the connection has changed. */
export async function untilNone(
  count: () => number,
  arrived: AbortSignal,
  forMs: number = finishMs,
): Promise<void> {
  const until = performance.now() + forMs
  while (count() > 0 && !arrived.aborted && performance.now() < until) await delay(lookEveryMs)
}

/**
 * Delays new messages while the connection moves to another server, until the `count` in progress have finished.
 *
 * @returns what to wait for; undefined while nothing moves
 */
export function holdWhileMoving(
  bus: { onLeave(step: BeforeLeaving): void },
  count: () => number,
): () => Promise<void> | undefined {
  let held: Promise<void> | undefined
  bus.onLeave(arrived => {
    const own = arrival(arrived).then(() => {
      if (held === own) held = undefined
    })
    held = own
    return untilNone(count, arrived)
  })
  return () => held
}
