import type { Socket } from 'node:net'
import postgres from 'postgres'
import { sqlstate } from '../sqlstate.ts'
import {
  type DatabaseAddress,
  type Encryption,
  type Host,
  type Target,
  readConnectionString,
} from './connection-string.ts'
import { EncryptionFailed, dial } from './dial.ts'

export interface OpenClient {
  /** Uses this one connection: once it is lost, every statement is rejected. */
  readonly sql: postgres.Sql
  readonly socket: Socket
  /** Whether there is a pooler: then session state neither survives a transaction nor may be left behind. */
  readonly pooled: boolean
}

export interface ClientOptions {
  readonly applicationName: string
  /** Milliseconds per host, unless the URL says otherwise. */
  readonly connectMs: number
  readonly types?: Record<string, postgres.PostgresType>
}

/**
 * Connects to the first host that accepts, and resolves when it has answered a statement. A client of postgres.js
 * 3.4.9 must not be used for a second connection: after a failure it keeps unwritten bytes, the failed query, the
 * row counter and the server's error, so later statements may hang or fail; it reconnects without end to a server
 * that accepts and closes; and it releases a socket only when the other side does. So it gets one socket from here,
 * once.
 *
 * @throws Error of the last host: the system's, {@link EncryptionFailed}, or PostgreSQL's
 */
export async function openClient(address: DatabaseAddress, options: ClientOptions): Promise<OpenClient> {
  let failure: unknown
  for (const host of address.hosts) {
    const encryptions: readonly Encryption[] = host.path ? ['none'] : address.encryption
    for (const encryption of encryptions) {
      try {
        return await openAt(address, host, encryption, options)
      } catch (error) {
        failure = error
        if (!isAboutEncryption(error)) break
      }
    }
    if (!isAboutHost(failure)) throw failure
  }
  throw failure
}

export async function withClient<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const address = readConnectionString(url)
  const { sql, pooled } = await openClient(address, { applicationName: 'svc', connectMs: 5000 })
  try {
    if (pooled) await refuseStatementMode(sql)
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function refuseStatementMode(sql: postgres.Sql) {
  try {
    await sql.unsafe('/* runtime.try_transaction */ begin')
    await sql.unsafe('/* runtime.end_transaction */ commit')
  } catch {
    throw new Error(
      'The pooler in front of the database allows no transactions: set its pool_mode to "transaction" or "session".',
    )
  }
}

async function openAt(
  address: DatabaseAddress,
  host: Host,
  encryption: Encryption,
  { applicationName, connectMs, types = {} }: ClientOptions,
): Promise<OpenClient> {
  const limitMs = address.connectMs ?? connectMs
  const socket = await dial(host, encryption, address.tls(), limitMs)
  let taken = false
  const once = {
    socket: () => {
      if (taken) throw new Error('The connection was lost.')
      taken = true
      return socket
    },
  }
  const { application_name = applicationName, options } = address.session
  const sql = postgres({
    ...once,
    // Used only in its messages.
    host: host.name,
    port: host.port,
    ...(address.user && { user: address.user }),
    ...(address.password && { pass: address.password }),
    ...(address.database && { database: address.database }),
    // The socket is encrypted already.
    ssl: false,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: limitMs / 1000,
    onnotice: () => {},
    // If the connection is lost, the driver's query for the array types becomes an unhandled rejection.
    fetch_types: false,
    types,
    connection: { application_name, ...(options && { options }) },
  }) as unknown as postgres.Sql
  try {
    const found = await sql.unsafe<[Session]>(
      "/* runtime.read_session */ select pg_backend_pid() as pid, pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only",
    )
    if (!fits[address.target](found[0])) throw new WrongServer(address.target)
    // A pooler stands for several servers, so it gives the client a process id of its own.
    const pooled = found[0].pid !== found.state.pid
    // The next statement may reach another server, which does not know prepared statements.
    if (pooled) Object.assign(sql.options, { prepare: false })
    return { sql, socket, pooled }
  } catch (error) {
    socket.destroy()
    throw error
  }
}

interface Session {
  readonly pid: number
  readonly standby: boolean
  readonly read_only: boolean
}

const fits: Record<Target, (session: Session) => boolean> = {
  any: () => true,
  primary: ({ standby }) => !standby,
  'read-write': session => !session.read_only,
}

class WrongServer extends Error {
  constructor(target: Target) {
    super(`No server of the URL is what target_session_attrs=${target} asks for.`)
  }
}

/** invalid_authorization_specification: pg_hba.conf requires another encryption. */
const isAboutEncryption = (error: unknown) => error instanceof EncryptionFailed || sqlstate(error) === '28000'

/** As in libpq, a refused role is refused by every host. 57P03: starting up or shutting down. */
const isAboutHost = (error: unknown) =>
  !(error instanceof postgres.PostgresError) || sqlstate(error) === '57P03'
