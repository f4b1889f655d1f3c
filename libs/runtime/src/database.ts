/** PostgreSQL for request paths: single statements, each bounded by its call's deadline. */
import { refusal } from '@svc/contract/errors'
import postgres from 'postgres'

/** A tagged template that runs one statement and returns its rows. */
export interface Sql {
  <Row extends object = Record<string, unknown>>(
    strings: TemplateStringsArray,
    ...values: unknown[]
  ): Promise<Row[]>
  /** Marks a parameter as jsonb. */
  json(value: unknown): unknown
}

export interface Database {
  /** Statements of one call; `deadline` in Unix milliseconds. */
  within(deadline: number): Sql
  /** Statements outside of a call: bounded by {@link defaultStatementMs} each. */
  readonly sql: Sql
  close(): Promise<void>
}

/** Named as in the environment. */
export interface DatabaseConfig {
  readonly DATABASE_URL: string
  /** Connections. */
  readonly DATABASE_POOL_SIZE: number
  /** Statements that may wait for a connection; the next one is refused with 503. */
  readonly DATABASE_QUEUE_LIMIT: number
}

const defaultStatementMs = 5000
/** Statement timeouts are set in steps, so that a connection keeps the first one under normal load. */
const timeoutStepsMs = [4000, 2000, 1000, 500, 250, 100, 50]
const topTimeoutMs = 4000
const sweepEveryMs = 100

interface Job {
  readonly deadline: number
  readonly run: (client: postgres.Sql) => Promise<object[]>
  resolve(rows: object[]): void
  reject(reason: unknown): void
}

interface Slot {
  client: postgres.Sql
  /** The statement timeout that the connection has. */
  timeoutMs: number
  job: Job | undefined
}

/**
 * Opens clients of one connection each, one statement at a time on each, with a bounded queue in front.
 *
 * postgres.js with `max` above 1 slows down with every query while its own queue does not drain, and has no limit on
 * waiting; and on a pipelined connection one slow statement holds up its neighbours.
 *
 * Rejections are ApiErrors: `Unavailable` where nothing was executed, `Timeout` where the outcome is unknown. What
 * PostgreSQL refuses for another reason (a constraint, say) is passed on as the driver's PostgresError.
 */
export function openDatabase(config: DatabaseConfig, applicationName = 'svc'): Database {
  const queue: Job[] = []
  const slots = Array.from({ length: config.DATABASE_POOL_SIZE }, () => {
    const state = { timeoutMs: topTimeoutMs, job: undefined }
    return Object.assign(state, { client: connect(state) }) as Slot
  })
  const idle = [...slots]

  // A connection to a frozen server never answers; its call must all the same.
  const sweeper = setInterval(() => {
    const now = Date.now()
    for (const { job } of slots) if (job && job.deadline <= now) job.reject(refusal('timeout'))
    while (queue[0] && queue[0].deadline <= now) queue.shift()?.reject(refusal('overloaded'))
  }, sweepEveryMs)
  sweeper.unref()

  const within = (deadline: number): Sql =>
    Object.assign(
      <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]) =>
        submit(deadline, client => client(strings, ...(values as never[]))) as Promise<Row[]>,
      { json: (value: unknown) => slots[0]?.client.json(value as never) },
    )

  return {
    within,
    get sql() {
      return within(Date.now() + defaultStatementMs)
    },
    async close() {
      clearInterval(sweeper)
      await Promise.all(slots.map(({ client }) => client.end({ timeout: 1 })))
    },
  }

  function submit(deadline: number, run: Job['run']): Promise<object[]> {
    return new Promise((resolve, reject) => {
      const job = { deadline, run, resolve, reject }
      const slot = idle.pop()
      if (slot) start(slot, job)
      else if (queue.length >= config.DATABASE_QUEUE_LIMIT) reject(refusal('overloaded'))
      else queue.push(job)
    })
  }

  function start(slot: Slot, job: Job) {
    const remaining = job.deadline - Date.now()
    if (remaining <= 0) {
      job.reject(refusal('overloaded'))
      return next(slot)
    }
    slot.job = job
    limitStatement(slot, remaining)
    job
      .run(slot.client)
      .then(job.resolve, error => {
        if (isLost(error)) renew(slot)
        job.reject(meaningOf(error))
      })
      .finally(() => next(slot))
  }

  /**
   * A client whose connection failed is not used again: postgres.js 3.4.9 keeps what it had not yet written, the
   * failed query and the server's error, and what comes next on it may hang or fail in their stead.
   */
  function renew(slot: Slot) {
    slot.client.end({ timeout: 0 }).catch(() => {})
    slot.client = connect(slot)
    slot.timeoutMs = topTimeoutMs
  }

  /** A connection begins with the first timeout, also where it follows one that was closed while idle. */
  function connect(slot: Pick<Slot, 'timeoutMs'>): postgres.Sql {
    return openClient(config.DATABASE_URL, applicationName, () => {
      slot.timeoutMs = topTimeoutMs
    })
  }

  function next(slot: Slot) {
    slot.job = undefined
    const job = queue.shift()
    if (job) start(slot, job)
    else idle.push(slot)
  }
}

function openClient(url: string, applicationName: string, onclose: () => void): postgres.Sql {
  const client = postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 2,
    // The default backs off to 20 s; a server that is back must be used at once.
    backoff: () => 0.1,
    onnotice: () => {},
    onclose,
    connection: { application_name: applicationName, statement_timeout: topTimeoutMs },
    // A connection lost while the client asks for the array types is an unhandled rejection, and hangs what waits
    // for it (postgres.js 3.4.9, fetchArrayTypes): the two that are used here are declared instead.
    fetch_types: false,
    types: {
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      textArray: arrayType(1009),
      bigintArray: arrayType(1016),
    },
  })
  return client as unknown as postgres.Sql
}

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

/** Bounds the next statement on the connection by what is left of the call; costs nothing while that is ample. */
function limitStatement(slot: Slot, remainingMs: number) {
  const step = timeoutStepsMs.find(ms => ms <= remainingMs) ?? timeoutStepsMs.at(-1) ?? topTimeoutMs
  if (step === slot.timeoutMs) return
  slot.timeoutMs = step
  // Written ahead of the statement on the same connection, and not waited for.
  slot.client.unsafe(`set statement_timeout = ${step}`).catch(() => {
    slot.timeoutMs = Number.NaN
  })
}

/** Connection failures before anything was sent. */
const neverSent = new Set([
  'ECONNREFUSED',
  'CONNECT_TIMEOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Connection failures with a statement under way: it may have been committed. */
const lostOnTheWay = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01', // terminated by an administrator
  '57P02', // another backend crashed
])

/** Whether the connection failed, rather than the statement. */
const isLost = (error: unknown) => !(error instanceof postgres.PostgresError) || error.code.startsWith('57P')

function meaningOf(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code ?? '')
  if (neverSent.has(code)) return refusal('unavailable')
  if (lostOnTheWay.has(code)) return refusal('timeout')
  if (code === '57014') return refusal('timeout') // statement_timeout
  if (code === '25006') return refusal('read_only')
  // 57P03: starting up or shutting down; 53: out of connections, memory or disk.
  if (code === '57P03' || code.startsWith('53')) return refusal('unavailable')
  return error
}
