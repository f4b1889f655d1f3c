import https from 'node:https'
import type { Duplex } from 'node:stream'

/** Unused for so long, a connection is closed. */
const idleMs = 10_000

/** Then the name is resolved again, so that who moves their server gets what is sent. */
const oldestMs = 60_000

/**
 * TLS connections that are used again, for the same host only: each was made to an address that was checked. A handshake for
 * each delivery would cost more than all else about it.
 */
export class KeptConnections extends https.Agent {
  readonly #bornAt = new WeakMap<Duplex, number>()

  constructor(options: Pick<https.AgentOptions, 'ca' | 'lookup'>) {
    super({
      ...options,
      keepAlive: true,
      timeout: idleMs,
      maxFreeSockets: 4,
      // A resumed session is not checked against the name again.
      maxCachedSessions: 0,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
    })
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const now = performance.now()
    const bornAt = this.#bornAt.get(socket) ?? now
    this.#bornAt.set(socket, bornAt)
    if (now - bornAt > oldestMs) return false
    // Its types say that it returns nothing.
    return (super.keepSocketAlive as unknown as (socket: Duplex) => boolean).call(this, socket)
  }
}
