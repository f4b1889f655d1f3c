/** A real PgBouncer in front of a server of the tests. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scaled } from '@svc/contract/core/deadline-scale'
import { freePort } from '@svc/local/free-port'
import { type OwnProcess, spawnOwnProcess } from '@svc/local/processes/own-process'
import { unprivilegedUser } from '@svc/local/servers/run-as'
import { waitUntil } from '@svc/local/wait-until'

export interface PgBouncer {
  /** The same role and database, through it. */
  through(url: string): string
  /** Ends it with all its connections, and starts it on the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export type PoolMode = 'session' | 'transaction' | 'statement'

/** Whether `pgbouncer` is on PATH. */
export function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * @param passwords of the roles that connect through it
 * @param poolSize connections to the server for each role and database
 */
export async function startPgBouncer(
  serverUrl: string,
  passwords: Readonly<Record<string, string>>,
  mode: PoolMode,
  poolSize = 20,
): Promise<PgBouncer> {
  const server = new URL(serverUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'svc-pgbouncer-'))
  const users = Object.entries(passwords).map(([role, password]) => `"${role}" "${password}"`)
  await writeFile(join(folder, 'users.txt'), users.join('\n'))
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 1000
`,
  )
  // It does not run as root.
  await chmod(folder, 0o755)
  const runAs = await unprivilegedUser()
  const launch = async () => {
    const started = await spawnOwnProcess('pgbouncer', [join(folder, 'pgbouncer.ini')], {
      cwd: '/',
      ...runAs,
    })
    await waitUntil('PgBouncer accepts connections', giveUp => {
      if (!started.running()) giveUp(new Error(`PgBouncer ended: ${started.tail().join(' | ')}`))
      return accepts(port)
    })
    return started
  }
  let running: OwnProcess = await launch()
  const end = () => running.stop(['SIGTERM', scaled(1000)])
  return {
    through: url => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    async restart() {
      await end()
      running = await launch()
    },
    async stop() {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const accepts = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
