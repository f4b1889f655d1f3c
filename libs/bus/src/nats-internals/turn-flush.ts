/** Sends everything published in one turn of the event loop with one write. */
import type { NatsConnection } from 'nats'

interface Flushing {
  flushPending(): void
}

/**
 * nats.js 2.29.3 writes to its socket after each callback that published (`lib/nats-base-client/protocol.js`, line 752:
 * `sendCommand` flushes in a microtask), so answers to requests that were read
 * together leave one by one. A write, and the wake-up of the server that it is, costs more than all else that a
 * message needs; so the flush waits for the end of the turn, which is no delay where nothing else is to be done.
 */
export function flushOncePerTurn(nc: NatsConnection) {
  const { protocol } = nc as unknown as { protocol: Flushing }
  const flush = protocol.flushPending.bind(protocol)
  let scheduled = false
  protocol.flushPending = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      flush()
    })
  }
}
