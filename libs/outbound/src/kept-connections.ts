import { constants } from 'node:crypto'
import type http from 'node:http'
import https from 'node:https'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { openTunnel, type TunnelEnd } from './tunnel.ts'

/** Unused for so long, a connection is closed. */
const idleMs = 10_000

/** Then the name is resolved again, so that who moves their server gets what is sent. */
const oldestMs = 60_000

/** As long as an exchange: whoever asked for a connection has given up by then. */
const dialMs = 10_000

const carriers = new WeakMap<Duplex, Socket>()

/** The socket below a connection, which counts what TLS itself takes; that of http is its own. */
export const carrierOf = (connection: Socket): Socket => carriers.get(connection) ?? connection

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
      // Each one would cost a handshake.
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
    })
    this.#proxy = proxy
  }

  override createConnection(
    options: http.ClientRequestArgs,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const carrier = this.#proxy
      ? openTunnel(this.#proxy, options as TunnelEnd)
      : dial(options as NetConnectOpts)
    carrier.then(
      socket => {
        const secure = super.createConnection({ ...options, socket } as object) as Duplex
        carriers.set(secure, socket)
        secure.once('secureConnect', () => this.#bornAt.set(secure, performance.now()))
        done?.(null, secure)
      },
      error => done?.(error, undefined as never),
    )
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const bornAt = this.#bornAt.get(socket)
    // Whoever asked for it may have given up in the middle of the handshake: what is sent by it then begins when that ends.
    if (bornAt === undefined || performance.now() - bornAt > oldestMs) return false
    // Its types say that it returns nothing.
    return (super.keepSocketAlive as unknown as (socket: Duplex) => boolean).call(this, socket)
  }
}

function dial(options: NetConnectOpts): Promise<Socket> {
  const socket = connect(options)
  const late = setTimeout(
    () => socket.destroy(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })),
    dialMs,
  )
  return new Promise<Socket>((resolve, reject) => {
    socket.once('connect', () => resolve(socket)).once('error', reject)
  }).finally(() => clearTimeout(late))
}
