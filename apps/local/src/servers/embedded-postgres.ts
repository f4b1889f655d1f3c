import { scaled } from '@svc/contract/core/deadline-scale'
import { join } from 'node:path'
import postgres from 'postgres'
import { freeze } from './freeze.ts'
import { freePort, onFreePort } from '../free-port.ts'
import { initialisePostgres, superuserPassword } from './initialise-postgres.ts'
import { describeExit, type Exit, type OwnProcess, spawnOwnProcess } from '../processes/own-process.ts'
import { findPostgres, type PostgresBinaries } from './postgres-binaries.ts'
import { postgresFailure, postgresUnrunnable } from './postgres-failure.ts'
import { serverProcesses, stopLeftovers } from './postgres-leftovers.ts'
import { type PostgresDir, postgresDirFor } from './postgres-dir.ts'
import type { ServerHandle } from './server-handle.ts'
import { systemEnv } from '../processes/system-env.ts'
import { waitUntil } from '../wait-until.ts'

export type PostgresOptions = {
  /** The server's folder: password, data, and a note of where the data is if it had to be elsewhere. */
  dataDir: string
  port?: number
  settings?: Record<string, string>
  onLog?: (line: string) => void
  onCrash?: (how: string) => void
  host?: string
  binaries?: PostgresBinaries | undefined
  through?: readonly string[]
}

export type PostgresHandle = ServerHandle & {
  data: string
  remove(): Promise<void>
}

// No Unix sockets: their paths are limited to 107 characters, and nothing needs them here.
const defaults = {
  unix_socket_directories: '',
  max_connections: '200',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // The just-in-time compiler is a separate library, and these queries are short.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Starts a real PostgreSQL from npm, by default 18, on 127.0.0.1. Its data is created at the first start and kept for the next.
 * `url` is the superuser's. SIGSTOP and SIGCONT sent with kill() reach every process of the server, other signals the
 * first one.
 *
 * @throws Error whose message says what happened and what to do
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresHandle> {
  const postgresDir = await postgresDirFor(options.dataDir, options.binaries ?? (await findPostgres()))
  await stopLeftovers(postgresDir.data)
  const password = await superuserPassword(options.dataDir, postgresDir)
  const env = systemEnv({ LC_ALL: 'C', TZ: 'UTC' })
  await initialisePostgres(postgresDir, password, {
    sync: options.settings?.fsync !== 'off',
    env,
    onLog: options.onLog,
  })

  let port = options.port ?? (await freePort())
  const address = () => `postgres://postgres:${password}@${options.host ?? '127.0.0.1'}:${port}/postgres`
  let stopping = false
  const launch = async () => {
    const child = await spawnServer(postgresDir, port, options, env)
    try {
      await accepting(child, address(), { port, data: postgresDir.data })
    } catch (error) {
      await child.stop(['SIGQUIT', scaled(5_000)])
      throw error
    }
    stopping = false
    child.exited.then(exit => {
      if (!stopping) options.onCrash?.(lastWords(exit, child))
    })
    return child
  }
  let server = await onFreePort(options.port, launch, next => {
    port = next
  })

  const stop = async () => {
    stopping = true
    const paused = await serverProcesses(postgresDir.data)
    for (const pid of paused) trySignal(pid, 'SIGCONT')
    // Fast shutdown; then without a checkpoint, from which the next start recovers; then by force.
    await server.stop(['SIGINT', scaled(30_000)], ['SIGQUIT', scaled(5_000)])
  }
  return {
    port,
    data: postgresDir.data,
    get url() {
      return address()
    },
    get pid() {
      return server.pid
    },
    running: () => server.running(),
    stop,
    async kill(signal) {
      if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') return server.signal(signal)
      if (signal === 'SIGCONT')
        for (const pid of await serverProcesses(postgresDir.data)) trySignal(pid, signal)
      else {
        await freeze(await serverProcesses(postgresDir.data))
        // Its first process may have started another one before it was frozen.
        await freeze(await serverProcesses(postgresDir.data))
      }
    },
    async restart() {
      if (server.running()) await stop()
      await stopLeftovers(postgresDir.data)
      server = await launch()
    },
    async remove() {
      await stop()
      await postgresDir.remove()
    },
  }
}

async function spawnServer(
  { data, native, runAs }: PostgresDir,
  port: number,
  { settings, onLog, host = '127.0.0.1', through }: PostgresOptions,
  env: NodeJS.ProcessEnv,
): Promise<OwnProcess> {
  const program = join(native, 'bin', 'postgres')
  const set = Object.entries({ ...defaults, listen_addresses: host, ...settings }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  )
  try {
    return await spawnOwnProcess(program, ['-D', data, '-p', String(port), ...set], {
      cwd: '/',
      env,
      lastWill: 'INT',
      onLine: onLog,
      through,
      ...runAs,
    })
  } catch (error) {
    throw postgresUnrunnable(program, error)
  }
}

/** Waits for an answer to a query, however long the recovery after a crash takes while the server is alive. */
async function accepting(
  server: OwnProcess,
  url: string,
  context: { port: number; data: string },
): Promise<void> {
  const asked = Date.now()
  await waitUntil(
    'PostgreSQL accepts connections',
    async giveUp => {
      if (!server.running()) {
        giveUp(postgresFailure('postgres', describeExit(await server.exited), server.tail(), context))
        return false
      }
      const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
      try {
        // The process on the port may not respond at all.
        await Promise.race([sql`select 1`, server.exited])
        return server.running()
      } catch (error) {
        const wrongPassword = (error as { code?: string }).code === '28P01'
        if (wrongPassword && Date.now() - asked > 3_000) {
          giveUp(
            new Error(
              `PostgreSQL on ${context.data} refuses the password stored next to it. Restore the file.`,
            ),
          )
        }
        throw error
      } finally {
        await sql.end({ timeout: 0 })
      }
    },
    { timeoutMs: scaled(180_000) },
  )
}

function lastWords(exit: Exit, server: OwnProcess): string {
  return [describeExit(exit), ...server.tail().slice(-3)].join(' | ')
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended in the meantime.
  }
}
