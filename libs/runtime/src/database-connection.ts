import { scaled } from '@svc/contract/core/deadline-scale'
import { ApiError, refusal } from '@svc/contract/core/errors'
import postgres from 'postgres'
import { readConnectionString } from './connection/connection-string.ts'
import { openClient } from './connection/open-client.ts'
import { quotaExceeded, quotaRefusal } from './quota-refusal.ts'

export interface Connection {
  /** False once it has failed; its pending statements have been rejected. */
  readonly usable: boolean
  readonly gone: Promise<void>
  readonly timeoutMs: number
  /** Whether a pooler is still looking for a server: no server has received the statement. */
  readonly waiting: boolean
  /**
   * Runs one statement if there is time left until `deadline` (Unix milliseconds).
   *
   * @throws ApiError `Unavailable` if nothing was executed, `Timeout` if the outcome is unknown, or PostgreSQL's
   * refusal
   */
  run(statement: Statement, deadline: number): Promise<object[]>
  /** Lets a running statement finish for up to a second and accepts no more. */
  close(): Promise<void>
  destroy(): void
}

export type Statement = (client: postgres.Sql) => Promise<object[]>

export const ping: Statement = client => client.unsafe('/* runtime.ping */ select 1')

const connectMs = scaled(2000)
const closeMs = 1000
/** Timeouts are set in steps, so that under normal load a connection keeps the first one. */
const timeoutStepsMs = [4000, 2000, 1000, 500, 250, 100, 50].map(scaled)
const topTimeoutMs = scaled(4000)
/** A connection must be used at least this often. */
export const maxIdleMs = topTimeoutMs
const shortestTimeoutMs = scaled(50)

/** The statement timeout for a call with this much time left, in milliseconds. */
export const statementTimeout = (remainingMs: number): number =>
  timeoutStepsMs.find(ms => ms <= remainingMs) ?? shortestTimeoutMs

/**
 * Connects, and resolves when the server has answered: until then no statement is at risk.
 *
 * @throws ApiError `Unavailable`, or PostgreSQL's refusal
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
  // `close` comes some turns later, and the driver never answers what it receives in between.
  for (const event of ['end', 'error', 'close']) socket.once(event, destroy)
  // Not as startup parameters: a pooler knows only a few and refuses the others.
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
      if (pooled) return statement === ping ? send(ping) : sendInTransaction(statement, deadline, limitMs)
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
   * Behind a pooler, each statement has its own transaction. `begin` is answered once the pooler has a server, and
   * only then is the statement sent, so none waits at the pooler after its call has ended. If the connection is
   * destroyed, the pooler rolls back.
   */
  async function sendInTransaction(
    statement: Statement,
    deadline: number,
    limitMs: number,
  ): Promise<object[]> {
    waiting = true
    try {
      await guard('unavailable', client.unsafe(beginTransaction(limitMs)))
    } catch (fault) {
      // A part of the statement may be running.
      destroy()
      throw fault
    }
    waiting = false
    if (deadline <= Date.now()) {
      await guard('unavailable', client.unsafe('/* runtime.roll_back */ rollback'))
      throw refusal('overloaded')
    }
    const answer = send(statement)
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
   * What an error means for the caller. Without a live socket it is a lost connection, whatever the driver calls
   * it.
   */
  function faultOf(error: unknown, ifLost: 'unavailable' | 'timeout'): unknown {
    if (error instanceof postgres.PostgresError) return meaningOf(error, ifLost)
    return usable && !socket.destroyed ? error : refusal(ifLost)
  }
}

/** One plan of each statement for all its values, by indexes. docs/inside/database.md */
export const planning = {
  // A plan cached while a table was tiny would scan the whole table once it is large.
  enable_seqscan: 'off',
  // A plan for a workspace with much of a table would go past everybody's rows, and arrays of few are planned anew.
  plan_cache_mode: 'force_generic_plan',
}

/** Fixed settings of every session, whatever the server, the database or the role have. */
const settings = {
  statement_timeout: topTimeoutMs,
  // A server that was frozen finds statements in its sockets whose calls ended long ago. A session that was idle
  // for a statement's timeout ends instead of executing them.
  idle_session_timeout: topTimeoutMs,
  ...planning,
  // A stricter level would refuse statements that merely overlap.
  default_transaction_isolation: 'read committed',
}

const setSession = (client: postgres.Sql) =>
  client.unsafe(
    `/* runtime.set_session */ select ${Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)}`,
  )

const localPlanning = Object.entries(planning)
  .map(([name, value]) => `set local ${name} = ${value}`)
  .join('; ')

/** Settings are local to the transaction: others use the session next. */
const beginTransaction = (limitMs: number) =>
  `/* runtime.begin */ begin isolation level read committed; set local statement_timeout = ${limitMs}; set local idle_in_transaction_session_timeout = ${topTimeoutMs}; ${localPlanning}`

/** Errors of failed statements that PostgreSQL has rolled back. */
const harmless = new WeakSet<object>()

/** Whether PostgreSQL refused or cancelled the statement, which then had no effect. */
export const leftNothingBehind = (error: unknown): boolean => harmless.has(error as object)

/**
 * Whether `error`, thrown by {@link Connection.run}, means that the deadline passed before or during the statement.
 */
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
  // idle_session_timeout, idle_in_transaction_session_timeout: the statement was not executed yet.
  if (code === '57P05' || code === '25P03') return refusal('unavailable')
  if (rolledBack.has(code) || code.startsWith('53')) return refusal('unavailable')
  // The server or a pooler ended the session.
  if (code.startsWith('57P') || code.startsWith('08')) return refusal(ifLost)
  return error
}

const rolledBack = new Set([
  '57P03', // starting up or shutting down
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
])

/** An array parameter of the type with this OID. Columns of these types are not parsed. */
const arrayType = (oid: number) => ({
  to: oid,
  from: [],
  serialize: arrayLiteral,
  parse: (text: string) => text,
})

/** PostgreSQL documentation, section "Array Input and Output Syntax". */
const arrayLiteral = (items: unknown[]) =>
  `{${items.map(item => (item === null ? 'null' : `"${String(item).replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`
