/** Sends everything published in one turn of the event loop with one write. */
import type { NatsConnection } from 'nats'

interface Flushing {
  flushPending(): void
}

/** Does `step` at the end of the turn, before what was published in it is sent. It must not throw. */
export type AtEndOfTurn = (step: () => void) => void

/**
 * nats.js 2.29.3 writes to its socket after each callback that published (`lib/nats-base-client/protocol.js`, line 752:
 * `sendCommand` flushes in a microtask), so answers to requests that were read
 * together leave one by one. A write, and the wake-up of the server that it is, costs more than all else that a
 * message needs; so the flush waits for the end of the turn, which is no delay where nothing else is to be done.
 */
export function flushOncePerTurn(nc: NatsConnection): AtEndOfTurn {
  const { protocol } = nc as unknown as { protocol: Flushing }
  const flush = protocol.flushPending.bind(protocol)
  let scheduled = false
  const before: (() => void)[] = []
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      // What these publish leaves with the same write.
      for (const step of before.splice(0)) step()
      scheduled = false
      flush()
    })
  }
  protocol.flushPending = schedule
  return step => {
    before.push(step)
    schedule()
  }
}
