import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Metrics, createMetrics } from '@svc/telemetry/metrics'
import { type ConnectionOptions, ErrorCode, type NatsConnection, connect } from 'nats'
import { type BusLogin, type Credentials, credentialsOf } from './credentials.ts'
import { type BeforeLeaving, leaveServer } from './leave-server.ts'
import { type Move, newMove } from './move.ts'
import { closeAbandonedDials } from './nats-internals/abandoned-dial.ts'
import { flushOncePerTurn } from './nats-internals/turn-flush.ts'
import { type JoinThere, openStandIn, type StandIn } from './stand-in.ts'

closeAbandonedDials()

export interface BusConfig extends BusLogin {
  /**
   * One or several `nats://host:port`, separated by commas. TLS needs host names: nats.js 2.29 does not accept IP
   * addresses then.
   */
  readonly NATS_URL: string
  /** PEM certificates to verify the server. If set, only TLS is used. */
  readonly NATS_TLS_CA_FILE?: string
  /** The pause before a server is tried again, 200 ms by default; longer if there are many clients. */
  readonly reconnectMs?: number
  /** How long to wait for the first connection; without limit by default. */
  readonly connectMs?: number
}

export interface BusLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface Bus {
  readonly nc: NatsConnection
  readonly user: string
  readonly metrics: Metrics
  /** False from the moment the connection is lost until it is back, and once it is closed. A move to another server is not a loss. */
  readonly connected: boolean
  /** Increases whenever the connection is lost or replaced, which invalidates everything tied to it. */
  readonly losses: number
  /**
   * Set while moving between servers. Resolves when connected to the other one, or when the move failed. Anything
   * sent now is lost.
   */
  readonly arriving: Promise<void> | undefined
  /** Called when the connection is lost (false) or back (true); also with true after a move to another server. */
  onChange(listener: (connected: boolean) => void): void
  /** Called when the server is about to close and the connection must leave it. */
  onLeave(step: BeforeLeaving): void
  /** Called before that with a connection to another server, which must take over the queue groups meanwhile. */
  onStandIn(join: JoinThere): void
  readonly standIn: StandIn | undefined
  /** Flushes what was published and closes; bounded by `timeoutMs`. */
  close(timeoutMs?: number): Promise<void>
}

/**
 * Connects, waiting for the server if necessary, and reconnects without limit. A wrong password or certificate at
 * start fails at once, because waiting would not help. The server keeps an unknown user waiting while no replica is
 * there to check agents.
 */
export async function connectBus(
  config: BusConfig,
  log: BusLog,
  metrics: Metrics = createMetrics(),
): Promise<Bus> {
  const { NATS_URL: url, NATS_USER: user, reconnectMs = 200, connectMs } = config
  const credentials = credentialsOf(config)
  const options: ConnectionOptions = {
    servers: url.split(','),
    authenticator: credentials.authenticator,
    ...(await trust(config)),
    name: user,
    inboxPrefix: inboxOf(user),
    maxReconnectAttempts: -1,
    // Passwords may be changed at the server first: keep trying.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs / 2,
    reconnectJitterTLS: reconnectMs / 2,
    timeout: 2000,
    // A silent server counts as lost after four to five seconds, as silent clients do at servers.
    pingInterval: 1000,
    maxPingOut: 4,
    noAsyncTraces: true,
  }
  const nc = await connectFirst(log, options, credentials, connectMs)
  credentials.accepted(nc)
  flushOncePerTurn(nc)
  let connected = true
  let losses = 0
  let disconnects = 0
  let move: Move | undefined
  const listeners: ((connected: boolean) => void)[] = []
  const beforeLeaving: BeforeLeaving[] = []
  const joins: JoinThere[] = []
  let standIn: StandIn | undefined
  const change = (now: boolean) => {
    const moved = now && move?.arriving !== undefined
    move?.end()
    move = undefined
    if (connected === now && !moved) return
    connected = now
    if (!now) losses++
    if (!now && !nc.isClosed()) disconnects++
    for (const listener of listeners) listener(now)
  }
  const leave = async () => {
    // Without another server, the connection is used as long as it lasts.
    if (move || url.split(',').length < 2) return
    const own = newMove()
    move = own
    if (joins.length > 0) {
      const elsewhere = () => connectElsewhere(nc, config, options)
      standIn = await openStandIn(nc, joins, elsewhere, own.arrived)
    }
    await leaveServer(nc, beforeLeaving, own.arrived, () => {
      losses++
      own.leave(() => {
        if (move === own) change(false)
      })
    }).catch(() => {})
  }
  const watch = async () => {
    for await (const { type, data } of nc.status()) {
      if (type === 'disconnect') {
        // A connection that we closed is replaced at once. The library also reports this for each failed attempt.
        if (move?.arriving) log.info({ server: data }, 'bus connection closed')
        else log.warn({ server: data }, 'bus disconnected')
        if (!move?.arriving) change(false)
      } else if (type === 'reconnect') {
        credentials.accepted(nc)
        log.info({ server: data }, 'bus reconnected')
        change(true)
      } else if (type === 'ldm') {
        void leave()
      } else if (type === 'error') {
        // The server's reason for closing a connection, mostly that it was silent or slow for too long:
        // reconnect.
        const farewell = data === ErrorCode.ProtocolError
        // The admission expired: ask again.
        const expired = data === ErrorCode.AuthenticationExpired
        log[expired ? 'info' : farewell ? 'warn' : 'error']({ error: String(data) }, 'bus error')
      }
    }
    change(false)
  }
  void watch()
  metrics.read('svc_bus_connected', {}, () => Number(connected))
  metrics.read('svc_bus_disconnects_total', {}, () => disconnects)

  return {
    nc,
    user,
    metrics,
    get connected() {
      return connected && !nc.isClosed()
    },
    get losses() {
      return losses
    },
    get arriving() {
      return move?.arriving
    },
    onChange: listener => void listeners.push(listener),
    onLeave: step => void beforeLeaving.push(step),
    onStandIn: join => void joins.push(join),
    get standIn() {
      return standIn
    },
    async close(timeoutMs = 2000) {
      if (nc.isClosed()) return
      const flushed = connected ? nc.flush().catch(() => {}) : undefined
      await Promise.race([flushed, new Promise(resolve => setTimeout(resolve, timeoutMs).unref())])
      await nc.close()
    },
  }
}

async function trust({ NATS_TLS_CA_FILE: caFile }: BusConfig): Promise<ConnectionOptions> {
  if (caFile === undefined) return {}
  await access(caFile, constants.R_OK).catch(({ code }) => {
    throw new Error(`NATS_TLS_CA_FILE names ${caFile}, which cannot be read (${code}).`)
  })
  // Read again at each connection, so that the authority can be replaced.
  return { tls: { caFile } }
}

/** The subject prefix of a user's replies, below which nobody else may subscribe. */
export const inboxOf = (user: string): string => `_INBOX.${user}`

async function connectFirst(
  log: BusLog,
  options: ConnectionOptions,
  credentials: Credentials,
  connectMs = Number.POSITIVE_INFINITY,
): Promise<NatsConnection> {
  const until = performance.now() + connectMs
  for (let attempt = 1, refused = 0; ; attempt++) {
    try {
      credentials.tryFirst(refused)
      return await connect(options)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === ErrorCode.AuthorizationViolation && ++refused < credentials.count) continue
      if (isHopeless(code) || performance.now() >= until) throw error
      if (attempt === 1) log.warn({ code }, 'waiting for the bus')
      await delay(250)
    }
  }
}

async function connectElsewhere(nc: NatsConnection, config: BusConfig, options: ConnectionOptions) {
  const here = nc.getServer()
  const servers = config.NATS_URL.split(',').filter(url => new URL(url).host !== here)
  const credentials = credentialsOf(config)
  for (let ordinal = 0; ordinal < credentials.count; ordinal++) {
    credentials.tryFirst(ordinal)
    try {
      return await connect({
        ...options,
        servers,
        authenticator: credentials.authenticator,
        reconnect: false,
      })
    } catch {
      // Try the next password, or wait for the next attempt.
    }
  }
  return undefined
}

// https://nodejs.org/api/tls.html#x509-certificate-error-codes, and ERR_TLS_CERT_ALTNAME_INVALID
const isHopeless = (code = '') =>
  code === ErrorCode.AuthorizationViolation ||
  code === ErrorCode.ServerOptionNotAvailable ||
  /CERT|UNABLE_TO_VERIFY/.test(code)
