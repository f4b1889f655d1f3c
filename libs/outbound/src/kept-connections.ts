import type http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { openTunnel, type TunnelEnd } from './tunnel.ts'

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
  readonly #proxy: URL | undefined

  /** Through the proxy, if there is one; then `lookup` is not asked. */
  constructor({ proxy, ...options }: Pick<https.AgentOptions, 'ca' | 'lookup'> & { readonly proxy?: URL }) {
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
    this.#proxy = proxy
  }

  override createConnection(
    options: http.ClientRequestArgs,
    done?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    if (!this.#proxy) return super.createConnection(options, done)
    openTunnel(this.#proxy, options as TunnelEnd).then(
      socket => done?.(null, super.createConnection({ ...options, socket } as object) as Duplex),
      error => done?.(error, undefined as never),
    )
    return undefined
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
