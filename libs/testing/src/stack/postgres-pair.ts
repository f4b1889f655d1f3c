// A primary and a standby that it waits for: streaming replication between two real servers.
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres } from '@svc/local/servers/embedded-postgres'
import { waitUntil } from '@svc/local/wait-until'
import postgres from 'postgres'

export interface PostgresPair {
  /** The superuser's, with both hosts, of which the one that takes writes is meant. */
  readonly url: string
  /** Kills the primary, and promotes the standby after `meanwhile`. */
  failOver(meanwhile: () => Promise<unknown>): Promise<void>
  stop(): Promise<void>
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pair-'))
  // Run as root, PostgreSQL is another user, which has to pass through here.
  await chmod(folder, 0o711)
  const settings = { max_connections: '400', fsync: 'off', synchronous_commit: 'remote_apply' }
  const [here, there] = [join(folder, 'primary'), join(folder, 'standby')]
  const primary = await startPostgres({ dataDir: here, settings })
  // Its data is copied while nothing writes: npm has no pg_basebackup.
  await primary.stop()
  await promisify(execFile)('cp', ['-a', here, there])
  await writeFile(join(there, 'data/standby.signal'), '')
  await primary.restart()
  const { username, password, port } = new URL(primary.url)
  const standby = await startPostgres({
    dataDir: there,
    settings: {
      ...settings,
      primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`,
    },
  })
  await asAdmin(primary.url, async sql => {
    await waitUntil('the standby follows', async () => {
      const [row] =
        await sql`select from pg_stat_replication where application_name = 'standby' and state = 'streaming'`
      return row !== undefined
    })
    // From now on a commit waits for it. Only here: the copy has no such setting, and goes on alone.
    await sql`alter system set synchronous_standby_names = 'standby'`
    await sql`select pg_reload_conf()`
    await waitUntil('commits wait for it', async () => {
      const [row] = await sql`select from pg_stat_replication where sync_state = 'sync'`
      return row !== undefined
    })
  })
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`,
    async failOver(meanwhile) {
      await primary.kill('SIGKILL')
      await waitUntil('the end of the primary', () => !primary.running())
      await meanwhile()
      await asAdmin(standby.url, sql => sql`select pg_promote()`)
    },
    async stop() {
      await Promise.all([primary.remove(), standby.remove()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function asAdmin(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
