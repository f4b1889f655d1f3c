/** One connection to PostgreSQL: used until it fails, and never again. */
import { scaled } from '@svc/contract/core/deadline-scale'
import { ApiError, refusal } from '@svc/contract/core/errors'
import postgres from 'postgres'
import { readConnectionString } from './connection/connection-string.ts'
import { openClient } from './connection/open-client.ts'
import { quotaExceeded, quotaRefusal } from './quota-refusal.ts'

export interface Connection {
  /** False once it failed; its pending statements have been rejected. */
  readonly usable: boolean
  /** Resolves when the connection is gone. */
  readonly gone: Promise<void>
  /** The statement timeout that the session has, in milliseconds. */
  readonly timeoutMs: number
  /** Whether a pooler has yet to find a server for the statement, which nobody has got. */
  readonly waiting: boolean
  /**
   * Runs one statement, if there is time left until `deadline` (Unix milliseconds).
   *
   * @throws ApiError `Unavailable` where nothing was executed, `Timeout` where the outcome is unknown, or what
   *   PostgreSQL refuses it for
   */
  run(statement: Statement, deadline: number): Promise<object[]>
  /** Lets a running statement finish for up to a second. No further statements are allowed. */
  close(): Promise<void>
  destroy(): void
}

export type Statement = (client: postgres.Sql) => Promise<object[]>

/** Asks whether the server is there. */
export const ping: Statement = client => client.unsafe('/* runtime.ping */ select 1')

const connectMs = scaled(2000)
const closeMs = 1000
/** Statement timeouts are set in steps, so that a connection keeps the first one under normal load. */
const timeoutStepsMs = [4000, 2000, 1000, 500, 250, 100, 50].map(scaled)
const topTimeoutMs = scaled(4000)
/** A connection has to be used at least so often. */
export const maxIdleMs = topTimeoutMs
const shortestTimeoutMs = scaled(50)

/** The statement timeout for a call that has so much left. */
export const statementTimeout = (remainingMs: number): number =>
  timeoutStepsMs.find(ms => ms <= remainingMs) ?? shortestTimeoutMs

/**
 * Connects, and resolves when the server has answered: until then no statement is at risk.
 *
 * @throws ApiError `Unavailable`, or what PostgreSQL refuses the connection for
 */
export async function openConnection(url: string, applicationName: string): Promise<Connection> {
  let usable = true
  let timeoutMs = topTimeoutMs
  let running: Promise<unknown> = Promise.resolve()
  let end = () => {}
  const gone = new Promise<void>(resolve => {
    end = resolve
  })
  const types = {
    bigint: { to: 20, from: [20], parse: Number, serialize: String },
    textArray: arrayType(1009),
    bigintArray: arrayType(1016),
  }
  const address = readConnectionString(url)
  const {
    sql: client,
    socket,
    pooled,
  } = await openClient(address, { applicationName, connectMs, types }).catch(error => {
    throw error instanceof postgres.PostgresError ? meaningOf(error, 'unavailable') : refusal('unavailable')
  })
  // Not by its close alone, which comes some turns later: what the driver gets meanwhile is never answered.
  for (const event of ['end', 'error', 'close']) socket.once(event, destroy)
  // Not at the start of the session, as a pooler knows but a few parameters and refuses others.
  if (!pooled) await guard('unavailable', setSession(client))
  let waiting = false

  return {
    gone,
    get usable() {
      return usable
    },
    get timeoutMs() {
      return timeoutMs
    },
    get waiting() {
      return waiting
    },
    async run(statement, deadline) {
      refuseLate(deadline)
      const limitMs = statementTimeout(deadline - Date.now())
      if (pooled) return statement === ping ? send(ping) : sendAlone(statement, deadline, limitMs)
      if (limitMs !== timeoutMs) {
        await guard(
          'unavailable',
          client.unsafe(`/* runtime.set_timeout */ set statement_timeout = ${limitMs}`),
        )
        timeoutMs = limitMs
        refuseLate(deadline)
      }
      return send(statement)
    },
    async close() {
      await Promise.race([running, new Promise(resolve => setTimeout(resolve, closeMs).unref())])
      usable = false
      await client.end({ timeout: 0 })
      destroy()
    },
    destroy,
  }

  function send(statement: Statement): Promise<object[]> {
    const answer = guard('timeout', statement(client))
    running = answer.catch(() => {})
    return answer
  }

  /**
   * Behind a pooler, in a transaction. Its beginning is answered once the pooler has a server for it; only then is the statement sent, so
   * none waits at the pooler when its call is over. Who destroys the connection instead has the pooler roll back.
   */
  async function sendAlone(statement: Statement, deadline: number, limitMs: number): Promise<object[]> {
    waiting = true
    try {
      await guard('unavailable', client.unsafe(beginAlone(limitMs)))
    } catch (fault) {
      // Part of it may be under way.
      destroy()
      throw fault
    }
    waiting = false
    if (deadline <= Date.now()) {
      await guard('unavailable', client.unsafe('/* runtime.roll_back */ rollback'))
      throw refusal('overloaded')
    }
    const answer = send(statement)
    // Rolls back if the statement failed.
    const end = guard('timeout', client.unsafe('/* runtime.commit */ commit'))
    running = Promise.allSettled([answer, end])
    await running
    const rows = await answer
    await end
    return rows
  }

  function destroy() {
    usable = false
    socket.destroy()
    end()
  }

  async function guard<T>(ifLost: 'unavailable' | 'timeout', answer: PromiseLike<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      const fault = faultOf(error, ifLost)
      if (error instanceof postgres.PostgresError && error.severity === 'ERROR') harmless.add(fault as object)
      // After anything but a plain statement error, the driver's state is unreliable.
      if (!(error instanceof postgres.PostgresError) || error.severity !== 'ERROR') destroy()
      throw fault
    }
  }

  /**
   * What an error means for the caller; without a live socket it means a lost connection, whatever the driver
   * calls it.
   */
  function faultOf(error: unknown, ifLost: 'unavailable' | 'timeout'): unknown {
    if (error instanceof postgres.PostgresError) return meaningOf(error, ifLost)
    return usable && !socket.destroyed ? error : refusal(ifLost)
  }
}

/** What a session is believed to be, whatever the server, the database or the role say. */
const settings = {
  statement_timeout: topTimeoutMs,
  // A server that was frozen finds statements in its sockets whose calls have long been answered. A
  // session that was idle for a statement's timeout ends instead of executing it.
  idle_session_timeout: topTimeoutMs,
  // A plan cached while a table was tiny would read all of it once it is large.
  enable_seqscan: 'off',
  // A stricter one would refuse statements that only met.
  default_transaction_isolation: 'read committed',
}

const setSession = (client: postgres.Sql) =>
  client.unsafe(
    `/* runtime.set_session */ select ${Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)}`,
  )

/** Settings are local to the transaction: others use the session next. */
const beginAlone = (limitMs: number) =>
  `/* runtime.begin */ begin isolation level read committed; set local statement_timeout = ${limitMs}; set local idle_in_transaction_session_timeout = ${topTimeoutMs}; set local enable_seqscan = off`

/** Errors of failed statements that PostgreSQL has rolled back. */
const harmless = new WeakSet<object>()

/** Whether `error` is the answer to a statement that PostgreSQL refused or cancelled: it left nothing behind. */
export const leftNothingBehind = (error: unknown): boolean => harmless.has(error as object)

/** Whether `error`, thrown by {@link Connection.run}, says that the time of the call was over: before, or while it ran. */
export const endedByDeadline = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.reason === 'overloaded' || (error.tag === 'Timeout' && leftNothingBehind(error)))

function refuseLate(deadline: number) {
  if (deadline <= Date.now()) throw refusal('overloaded')
}

/** SQLSTATEs that become refusals rather than faults; the rest is passed on. */
function meaningOf(error: postgres.PostgresError, ifLost: 'unavailable' | 'timeout'): unknown {
  const { code } = error
  if (code === '57014') return refusal('timeout') // statement_timeout
  if (code === quotaExceeded) return quotaRefusal(error.detail)
  if (code === '25006') return refusal('read_only')
  // idle_session_timeout, idle_in_transaction_session_timeout: it waited for a statement still
  if (code === '57P05' || code === '25P03') return refusal('unavailable')
  if (rolledBack.has(code) || code.startsWith('53')) return refusal('unavailable')
  // The session was ended, by the server or by a pooler.
  if (code.startsWith('57P') || code.startsWith('08')) return refusal(ifLost)
  return error
}

const rolledBack = new Set([
  '57P03', // starting up or shutting down
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
])

/** An array parameter of the type with this OID; such columns are not read. */
const arrayType = (oid: number) => ({
  to: oid,
  from: [],
  serialize: arrayLiteral,
  parse: (text: string) => text,
})

/** PostgreSQL documentation, section "Array Input and Output Syntax". */
const arrayLiteral = (items: unknown[]) =>
  `{${items.map(item => (item === null ? 'null' : `"${String(item).replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`
