import type { NatsConnection } from 'nats'

interface Flushing {
  flushPending(): void
}

/**
 * Sends everything published in one turn of the event loop with one write. nats.js 2.29.3 writes to its socket
 * after each callback that published (`lib/nats-base-client/protocol.js`, line 752: `sendCommand` flushes in a
 * microtask), so answers to requests that were read together leave one by one. A write, and waking the server for
 * it, costs more than everything else a message needs. The flush waits for the end of the turn, which delays
 * nothing when the loop is idle.
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
