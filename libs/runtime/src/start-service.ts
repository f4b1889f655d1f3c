import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, type BusConfig, connectBus } from '@svc/bus/connection'
import { serve } from '@svc/bus/serve'
import type { Call, Handlers, Service } from '@svc/contract/core/operation'
import { type Metrics, processMetrics } from '@svc/telemetry/metrics'
import { type Database, type DatabaseConfig, openDatabase, type Sql } from './database.ts'
import { withEitherPassword } from './either-password.ts'
import { createLog, type Log } from './log.ts'
import { migrate } from './migrate/migrate.ts'
import { announceEvents } from './outbox/announce-events.ts'
import { failToStart, type ProcessConfig, run } from './process.ts'
import { ensureQuotas } from './quotas.ts'
import { createServiceDeps, type ServiceDeps } from './service-deps.ts'
import { startWorkLoop, type WorkLoopOptions } from './work-loop.ts'

export interface ServiceConfig extends ProcessConfig, DatabaseConfig, BusConfig {
  readonly LOG_LEVEL: string
}

export interface ServiceOptions<S extends Service, Config extends ServiceConfig, Deps> {
  /** The name of its schema, its log and its metrics, with `_` for `-` in the schema. */
  readonly contract: S
  /** The folder of its `package.json` and `migrations`; ends with a slash. */
  readonly folder: URL
  /** @throws ConfigError */
  readonly config: () => Config
  /** Writes rows that the service needs before it connects to the bus. */
  readonly prepare?: (sql: Sql, config: Config) => Promise<unknown>
  readonly handlers: Handlers<S, Deps>
  readonly start: (parts: ServiceParts<Config>) => ServiceWork<Deps>
}

export interface ServiceParts<Config> {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  readonly database: Database
  readonly sql: () => Sql
  readonly bus: Bus
  readonly callBus: CallBus
  /** To be called after writing an event, so that it is read soon. */
  readonly eventWritten: () => void
  readonly serviceDeps: (call: Call) => ServiceDeps
}

export interface ServiceWork<Deps> {
  readonly deps: (call: Call) => Deps
  /** Stopped one after the other before calls in progress are finished. */
  readonly beforeCalls?: readonly Work[]
  /** Stopped after the calls, which may need them or give them work. The database is closed last. */
  readonly afterCalls?: readonly Work[]
  readonly served?: () => void
}

type Work = Loop | { stop(): Promise<unknown> } | undefined

interface Loop extends Pick<WorkLoopOptions, 'name' | 'work' | 'everyMs'> {
  readonly atOnce?: boolean
}

/** Runs the service until it is told to stop; ends the process with 1 and a sentence where it cannot start. */
export function startService<S extends Service, Config extends ServiceConfig, Deps>(
  options: ServiceOptions<S, Config, Deps>,
): void {
  runService(options).catch(failToStart)
}

async function runService<S extends Service, Config extends ServiceConfig, Deps>({
  contract,
  folder,
  config: readConfig,
  prepare,
  handlers,
  start,
}: ServiceOptions<S, Config, Deps>): Promise<void> {
  const { name } = contract
  const config = readConfig()
  const log = createLog(name, config.LOG_LEVEL)
  const metrics = processMetrics(name, new URL('package.json', folder))
  await run({ config, log, metrics }, async () => {
    const migrations = new URL('migrations', folder)
    await withEitherPassword(config, url => migrate(url, name.replaceAll('-', '_'), migrations))
    const database = openDatabase(config, name, metrics)
    const sql = () => database.sql
    await ensureQuotas(sql(), name)
    await prepare?.(sql(), config)
    const bus = await connectBus(config, log, metrics)
    const eventWritten = announceEvents(bus, name)
    const callBus = createCall(bus)
    const serviceDeps = createServiceDeps({ database, eventWritten, callBus })
    const parts = { config, log, metrics, database, sql, bus, callBus, eventWritten, serviceDeps }
    const own = start(parts)
    const stopOf = (work: Work) => {
      if (work === undefined || 'stop' in work) return async () => work?.stop()
      const loop = startWorkLoop({ ...work, log, metrics })
      if (work.atOnce) loop.wake()
      return loop.stop
    }
    const before = own.beforeCalls?.map(stopOf) ?? []
    const after = own.afterCalls?.map(stopOf) ?? []
    const served = await serve(bus, contract, { handlers, deps: own.deps, log })
    own.served?.()
    return {
      ready: { bus: () => bus.connected },
      drain: [...before, served.drain, ...after, database.close],
    }
  })
}
