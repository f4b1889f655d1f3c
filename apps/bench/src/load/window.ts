/** One window of one variant: warm-up, measurement, and the check that what was acknowledged was written. */
import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Mark, OpenLoop } from './load.ts'
import type { LoadGenerator } from './load-generator.ts'
import { type Pids, startMeter, type Use } from './meter.ts'
import { checkEtags, checkRows, countRows, type Written } from './row-check.ts'
import { type Cluster, kindsOf, type Seed, type Workload } from './workloads.ts'

export interface WindowPlan {
  readonly workload: Workload
  readonly connections: number
  /** Length of the window, without its warm-up. */
  readonly seconds: number
  /** Absent: the next request when the last is answered. */
  readonly open?: OpenLoop
}

export interface Rates {
  readonly seconds: number
  readonly requests: number
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly max_ms: number
}

export interface Measured extends Rates, Use, Partial<Written> {}

/** What a window is measured on. */
export interface Subject {
  readonly urls: readonly string[]
  readonly seed: Seed
  /** The administrator's connection to the variant's database. */
  readonly sql: postgres.Sql
  pids(): Pids
}

export interface Instruments {
  readonly generator: LoadGenerator
  /** PostgreSQL's first process. */
  readonly postgresPid: number
  /** The administrator's connection to the server. */
  readonly server: postgres.Sql
  /** What else takes part, and is not measured. */
  readonly others?: Pids
}

export const warmUpMs = 1000
export async function measureWindow(
  subject: Subject,
  instruments: Instruments,
  plan: WindowPlan,
): Promise<Measured> {
  const run = await startRun(subject, instruments, plan)
  await run.during(delay(warmUpMs))
  const lap = await run.startLaps()
  const measured = await lap(plan.seconds * 1000)
  const written = await run.end()
  await untilIdle(instruments.server)
  return { ...measured, ...written }
}

export interface Run {
  /** From now on each call measures the next stretch of time. */
  startLaps(): Promise<(ms: number) => Promise<Rates & Use>>
  /** Waits for that, unless the load fails before. */
  during<T>(work: Promise<T>): Promise<T>
  /** Stops the load and checks that what was acknowledged was written. */
  end(): Promise<Written>
}

/** Starts a load that goes on until `end`. */
export async function startRun(
  { urls, seed, sql, pids }: Subject,
  { generator, postgresPid, others }: Omit<Instruments, 'server'>,
  { workload, connections, open }: Omit<WindowPlan, 'seconds'>,
): Promise<Run> {
  const before = await countRows(sql)
  const clusters = kindsOf(workload).includes('settings')
    ? await sql<Cluster[]>`
        select id, etag, max_machines from compute.clusters
        where workspace_id = ${seed.workspace_id} order by id limit ${connections}`
    : []
  await generator.start({ urls, seed, workload, connections, clusters, open })
  const during = <T>(work: Promise<T>): Promise<T> => Promise.race([work, generator.failure])
  return {
    during,
    async startLaps() {
      await generator.mark()
      const meter = startMeter({
        processes: pids(),
        trees: { postgres: postgresPid },
        measuring: { 'load generator': generator.pid, ...others },
      })
      return async ms => {
        await during(delay(ms))
        const mark = await generator.mark()
        return { ...ratesOf(mark), ...meter.lap()(mark) }
      }
    },
    async end() {
      const acknowledged = await generator.stop()
      await checkEtags(sql, acknowledged.etags)
      return checkRows(before, await countRows(sql), acknowledged.requests)
    },
  }
}

export function ratesOf({ ms, requests, p50_ms, p99_ms, max_ms }: Mark): Rates {
  return { seconds: ms / 1000, requests, per_second: (requests / ms) * 1000, p50_ms, p99_ms, max_ms }
}

/** Waits, at most 10 s, until PostgreSQL does nothing for anyone else. */
export async function untilIdle(server: postgres.Sql): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await delay(20)) {
    const [busy] = await server`
      select from pg_stat_activity
      where pid <> pg_backend_pid() and state <> 'idle'
        and backend_type in ('client backend', 'autovacuum worker', 'parallel worker')
      limit 1`
    if (!busy) return
  }
}
