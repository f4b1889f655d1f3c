/** One PostgreSQL for every variant, and one NATS for the peers that use it. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { greeting, startNats } from '@svc/local/servers/embedded-nats'
import { startPostgres } from '@svc/local/servers/embedded-postgres'
import type { ServerHandle } from '@svc/local/servers/server-handle'
import { newSecrets, type Secrets } from '@svc/local/secrets'
import postgres from 'postgres'
import type { Cleanup } from './cleanup.ts'

export interface Servers {
  /** A folder that is removed at the end. */
  readonly folder: string
  readonly postgres: ServerHandle
  /** The administrator's connection. */
  readonly sql: postgres.Sql
  /** Roles belong to the whole server, so every product started on it has the same passwords. */
  readonly secrets: Secrets
}

/** @param settings of PostgreSQL, in addition to those of `npm start` */
export async function startServers(
  cleanup: Cleanup,
  settings: Record<string, string>,
  onLog?: (line: string) => void,
): Promise<Servers> {
  const folder = await cleanup.own(
    () => mkdtemp(join(tmpdir(), 'svc-bench-')),
    path => rm(path, { recursive: true, force: true }),
  )
  // As root, PostgreSQL runs as another user, which needs access to this folder.
  await chmod(folder, 0o711)
  const server = await cleanup.own(
    () => startPostgres({ dataDir: join(folder, 'postgres'), settings, onLog }),
    started => started.remove(),
  )
  return { folder, postgres: server, sql: connectTo(server.url, cleanup), secrets: newSecrets() }
}

/** A connection until the end. */
export function connectTo(url: string, cleanup: Cleanup): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  cleanup.add(() => sql.end({ timeout: 1 }))
  return sql
}

export interface PeerBus {
  readonly server: ServerHandle
  /** With the user and password of that variant, whose subjects no other one sees. */
  urlOf(variant: string): string
}

/** A NATS server with an account for each variant: otherwise two of one framework would serve each other's calls. */
export async function startPeerBus(
  cleanup: Cleanup,
  folder: string,
  variants: readonly string[],
): Promise<PeerBus> {
  // Letters first: the NATS server would read a password of digits as a number.
  const password = `pw${randomBytes(18).toString('hex')}`
  const accounts = variants.map(
    name => `  "${name}": { users: [ { user: "${name}", password: $BENCH_PASSWORD } ] }`,
  )
  const configFile = join(folder, 'peers-nats.conf')
  await writeFile(configFile, `max_payload: 1MB\naccounts {\n${accounts.join('\n')}\n}\n`)
  const server = await cleanup.own(
    () => startNats({ configFile, env: { BENCH_PASSWORD: password } }),
    started => started.stop(),
  )
  return { server, urlOf: variant => `nats://${variant}:${password}@127.0.0.1:${server.port}` }
}

/** The version that a NATS server reports on connecting. */
export async function natsVersion(port: number): Promise<string> {
  const said = await greeting('127.0.0.1', port)
  return (JSON.parse(said.replace(/^INFO /, '')) as { version: string }).version
}

/** The administrator's URL of another database on the same server. */
export function urlOfDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}
