import { scaled } from '@svc/contract/core/deadline-scale'
import { refusal } from '@svc/contract/core/errors'
import { type Metrics, createMetrics } from '@svc/telemetry/metrics'
import { meterDatabase } from '@svc/telemetry/metrics-database'
import {
  type Connection,
  type Statement,
  endedByDeadline,
  maxIdleMs,
  openConnection,
  ping,
  statementTimeout,
} from './database-connection.ts'
import { type Passwords, withEitherPassword } from './either-password.ts'
import { type Sql, template } from './sql-template.ts'

export type { Sql }

export interface Database {
  /** Statements of one call; `deadline` in Unix milliseconds. */
  within(deadline: number): Sql
  readonly sql: Sql
  readonly metrics: Metrics
  close(): Promise<void>
}

export interface DatabaseConfig extends Passwords {
  readonly DATABASE_POOL_SIZE: number
  /** Statements that may wait for a connection; further ones are refused with 503. */
  readonly DATABASE_QUEUE_LIMIT: number
}

const defaultStatementMs = scaled(5000)
const sweepEveryMs = 50
/** How often idle connections are checked; each has its turn within {@link keepAliveMs}. */
const lookEveryMs = 150
const partAtATime = 1 / 10
/** How long after its deadline a statement may stay unanswered before its connection is considered dead. */
const silenceMs = scaled(1000)
const reconnectMs = 100
/** A connection is pinged after this much silence, so that it is never idle for too long. */
const keepAliveMs = maxIdleMs / 2

interface Job {
  readonly deadline: number
  readonly asked: number
  readonly statement: Statement
  readonly connected: (() => void) | undefined
  resolve(rows: object[]): void
  reject(reason: unknown): void
}

interface Slot {
  readonly connection: Connection
  job: Job | undefined
  idleSince: number
  ended: (error?: unknown, late?: boolean) => void
}

/**
 * Opens connections on demand and runs one statement at a time on each, with a bounded queue in front. postgres.js
 * with `max` above 1 slows down with every query while its own queue does not drain, and does not limit waiting; on
 * a pipelined connection one slow statement delays its neighbours. Rejections are ApiErrors: `Unavailable` if
 * nothing was executed, `Timeout` if the outcome is unknown. Other refusals (a constraint, say) are passed on as
 * the driver's PostgresError.
 */
export function openDatabase(
  config: DatabaseConfig,
  applicationName = 'svc',
  metrics: Metrics = createMetrics(),
): Database {
  const queue: Job[] = []
  const slots = new Set<Slot>()
  let idle: Slot[] = []
  let connecting = false
  let closed = false
  let sweeper: NodeJS.Timeout | undefined
  const keeper = setInterval(keepAlive, lookEveryMs)
  keeper.unref()
  const meter = meterDatabase(metrics, {
    size: config.DATABASE_POOL_SIZE,
    connections: () => slots.size,
    idle: () => idle.length,
    waiting: () => queue.length,
  })

  const within = (deadline: number): Sql =>
    template((statement, connected) => submit(deadline, statement, connected))

  return {
    within,
    metrics,
    get sql() {
      return within(Date.now() + defaultStatementMs)
    },
    async close() {
      closed = true
      clearInterval(keeper)
      for (const job of queue.splice(0)) giveUp(job, refusal('unavailable'))
      await Promise.all([...slots].map(({ connection }) => connection.close()))
    },
  }

  function submit(deadline: number, statement: Statement, connected?: () => void): Promise<object[]> {
    return new Promise((resolve, reject) => {
      const job = { deadline, asked: performance.now(), statement, connected, resolve, reject }
      const slot = takeIdle(deadline)
      // Connections that do not exist yet count, too.
      const capacity = config.DATABASE_QUEUE_LIMIT + config.DATABASE_POOL_SIZE - slots.size
      if (closed) giveUp(job, refusal('unavailable'))
      else if (slot) void start(slot, job)
      else if (queue.length >= capacity) {
        meter.shed()
        reject(refusal('overloaded'))
      } else {
        queue.push(job)
        watch()
        void grow()
      }
    })
  }

  /** Prefers one whose statement timeout need not change. */
  function takeIdle(deadline: number): Slot | undefined {
    const timeoutMs = statementTimeout(deadline - Date.now())
    const fitting = idle.findLastIndex(({ connection }) => connection.timeoutMs === timeoutMs)
    return fitting < 0 ? idle.pop() : idle.splice(fitting, 1)[0]
  }

  async function start(slot: Slot, job: Job, ended = meter.begins(job.asked)) {
    slot.job = job
    slot.ended = ended
    watch()
    job.connected?.()
    try {
      const rows = await slot.connection.run(job.statement, job.deadline)
      slot.ended()
      job.resolve(rows)
    } catch (error) {
      slot.ended(error, endedByDeadline(error))
      job.reject(error)
    }
    slot.job = undefined
    if (!slot.connection.usable) drop(slot)
    else if (slots.has(slot)) next(slot)
  }

  function next(slot: Slot) {
    const job = queue.shift()
    if (job) return void start(slot, job)
    slot.idleSince = performance.now()
    idle.push(slot)
  }

  function drop(slot: Slot) {
    slots.delete(slot)
    idle = idle.filter(other => other !== slot)
    slot.connection.destroy()
    void grow()
  }

  /**
   * Opens another connection while statements wait; one at a time, so as not to overwhelm a recovering
   * server.
   */
  async function grow(): Promise<void> {
    if (connecting || closed || queue.length === 0 || slots.size >= config.DATABASE_POOL_SIZE) return
    connecting = true
    try {
      const slot: Slot = {
        connection: await withEitherPassword(config, url => openConnection(url, applicationName)),
        job: undefined,
        idleSince: 0,
        ended: () => {},
      }
      if (closed) return slot.connection.destroy()
      slots.add(slot)
      slot.connection.gone.then(() => drop(slot))
      next(slot)
    } catch (error) {
      // Nothing else would serve the waiting statements.
      if (slots.size === 0) for (const job of queue.splice(0)) giveUp(job, error)
      await new Promise(resolve => setTimeout(resolve, reconnectMs))
    } finally {
      connecting = false
    }
    return grow()
  }

  /** Pings a few at a time, so that the others remain available. */
  function keepAlive() {
    if (idle.length === 0) return
    const quiet = performance.now() - keepAliveMs
    const due = idle.filter(({ idleSince }) => idleSince <= quiet)
    const asked = due.slice(0, Math.ceil(slots.size * partAtATime))
    idle = idle.filter(slot => !asked.includes(slot))
    for (const slot of asked) void start(slot, keepAliveJob(), nobody)
  }

  function giveUp(job: Job, reason: unknown, late?: boolean) {
    meter.gaveUp(job.asked, late)
    job.reject(reason)
  }

  function watch() {
    sweeper ??= setInterval(sweep, sweepEveryMs).unref()
  }

  /** A frozen server never answers, but the call must be answered. */
  function sweep() {
    const now = Date.now()
    for (const slot of slots) {
      if (!slot.job || slot.job.deadline > now) continue
      const fault = refusal(slot.connection.waiting ? 'overloaded' : 'timeout')
      slot.ended(fault, true)
      slot.job.reject(fault)
      if (slot.job.deadline + silenceMs <= now) drop(slot)
    }
    for (let at = queue.length - 1; at >= 0; at--) {
      const job = queue[at]
      if (!job || job.deadline > now) continue
      queue.splice(at, 1)
      giveUp(job, refusal(slots.size > 0 ? 'overloaded' : 'unavailable'), true)
    }
    if (queue.length > 0 || slots.size > idle.length) return
    clearInterval(sweeper)
    sweeper = undefined
  }
}

const nobody = () => {}

const keepAliveJob = (): Job => ({
  deadline: Date.now() + maxIdleMs + silenceMs,
  asked: 0,
  statement: ping,
  connected: undefined,
  resolve: nobody,
  reject: nobody,
})
