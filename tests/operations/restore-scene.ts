/** A product under load, its backup, and the product that is made of that backup after everything else was destroyed. */
import { execFile, execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { databasePasswordVariable, schemaOf, serviceNames } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import { type PostgresHandle, startPostgres } from '@svc/local/servers/embedded-postgres'
import { type Stack, startStack } from '@svc/local/stack'
import { waitUntil } from '@svc/local/wait-until'
import { changeConnectionString } from '@svc/runtime/connection/connection-string'
import { writeTestConfig } from '@svc/testing/stack/nats-config'
import type { TestStack } from '@svc/testing/stack/stack'
import { testEnv } from '@svc/testing/stack/test-env'
import postgres from 'postgres'

const run = promisify(execFile)
const major = 18
const backupPassword = 'pwbackup'

/** Folders where there is a pg_dump of the server's version or a later one: SVC_POSTGRES_TOOLS, then PATH. */
export async function findPostgresTools(): Promise<string | undefined> {
  for (const folder of [process.env.SVC_POSTGRES_TOOLS, ...(process.env.PATH ?? '').split(delimiter)]) {
    const said = folder && (await run(join(folder, 'pg_dump'), ['--version']).catch(() => undefined))
    if (said && Number(/ (\d+)/.exec(said.stdout)?.[1]) >= major) return folder
  }
  return undefined
}

/** A way to back up a database that is in use, and to restore it into a server that knows nothing of it. */
export interface BackupMethod {
  readonly settings: Record<string, string>
  backUp(running: TestStack): Promise<void>
  /** What happens between the backup and the loss: nothing where the backup is all that there is. */
  beforeLoss(running: TestStack): Promise<void>
  restore(running: TestStack): Promise<PostgresHandle>
}

/** deploy/backup, with the tools of PostgreSQL in `tools`. */
export function dumps(folder: string, tools: string): BackupMethod {
  const script = (name: string, args: string[], env: Record<string, string>) =>
    run('sh', [join(repoRoot, 'deploy/backup', name), ...args], {
      env: { PATH: `${tools}${delimiter}${process.env.PATH}`, ...env },
    })
  const kept = join(folder, 'backups')
  return {
    settings: {},
    async backUp(running) {
      await mkdir(kept)
      setUpDatabase([], running, running.stack.databaseUrl)
      const url = new URL(
        changeConnectionString(running.stack.databaseUrls.offers, { password: backupPassword }),
      )
      url.username = 'backup'
      await script('backup.sh', [], { DATABASE_URL: url.href, BACKUP_DIR: kept })
    },
    async beforeLoss() {},
    async restore(running) {
      const server = await startPostgres({ dataDir: join(folder, 'restored'), settings: { fsync: 'off' } })
      setUpDatabase(['roles'], running, server.url)
      const [dump = ''] = await readdir(kept)
      const DATABASE_URL = server.url.replace(/postgres$/, 'svc')
      await script('restore.sh', [join(kept, dump)], { DATABASE_URL })
      // A second time would overwrite.
      const again = script('restore.sh', [join(kept, dump)], { DATABASE_URL })
      await again.then(
        () => Promise.reject(new Error('it restored over data')),
        ({ stderr }) => {
          if (!/restore into a new one/.test(stderr)) throw new Error(stderr)
        },
      )
      return server
    },
  }
}

/** A base backup and the archive of the write-ahead log, as cloudnative-pg keeps them; by the functions of the server alone. */
export async function baseBackup(folder: string): Promise<BackupMethod> {
  const archive = join(folder, 'archive')
  const base = join(folder, 'base')
  await mkdir(archive)
  // The server is another user where this is root.
  await chmod(archive, 0o777)
  return {
    settings: { archive_mode: 'on', archive_command: `cp "%p" "${archive}/%f"` },
    async backUp({ sql, stack }) {
      // The connection that begins a backup ends it.
      const own = await sql.reserve()
      await own`select pg_backup_start('drill', fast => true)`
      await cp(stack.postgres?.data ?? '', base, {
        recursive: true,
        filter: path => !/(\/pg_wal\/.+|postmaster\.(pid|opts))$/.test(path),
      })
      const [label] = await own`select labelfile, spcmapfile from pg_backup_stop()`
      own.release()
      await writeFile(join(base, 'backup_label'), label?.labelfile)
    },
    async beforeLoss({ sql }) {
      const [{ file } = { file: '' }] = await sql`select pg_walfile_name(pg_switch_wal()) as file`
      await waitUntil('the log is in the archive', async () => (await readdir(archive)).includes(file))
    },
    async restore({ stack }) {
      const dataDir = join(folder, 'restored')
      // Made and thrown away, so that folders belong to whom they have to.
      const made = await startPostgres({ dataDir, settings: { fsync: 'off' } })
      await made.stop()
      const owner = execFileSync('stat', ['-c', '%u:%g', made.data], { encoding: 'utf8' }).trim()
      await rm(made.data, { recursive: true })
      await cp(base, made.data, { recursive: true })
      await writeFile(join(made.data, 'recovery.signal'), '')
      execFileSync('chown', ['-R', owner, made.data])
      await chmod(made.data, 0o700)
      await writeFile(join(dataDir, 'password'), new URL(stack.databaseUrl).password)
      const server = await startPostgres({
        dataDir,
        settings: { max_connections: '400', fsync: 'off', restore_command: `cp "${archive}/%f" "%p"` },
      })
      const sql = postgres(server.url, { max: 1 })
      await waitUntil('the end of recovery', async () => {
        const [row] = await sql`select pg_is_in_recovery() as still`
        return row?.still === false
      })
      await sql.end()
      return server
    },
  }
}

/** `deploy/setup-database.mjs`, with the passwords that the product has. */
export function setUpDatabase(args: string[], { stack }: TestStack, ADMIN_DATABASE_URL: string) {
  const passwords = serviceNames.map(name => [
    databasePasswordVariable(name),
    stack.secrets.postgres[schemaOf(name)],
  ])
  execFileSync(process.execPath, [join(repoRoot, 'deploy/setup-database.mjs'), ...args], {
    env: {
      PATH: process.env.PATH,
      ADMIN_DATABASE_URL,
      BACKUP_DATABASE_PASSWORD: backupPassword,
      ...Object.fromEntries(passwords),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Everything anew but the Secrets: processes, a bus without streams, and this database. */
export async function startRestored(
  folder: string,
  { stack: { secrets, gateways } }: TestStack,
  server: PostgresHandle,
): Promise<Stack> {
  const dataDir = join(folder, 'anew')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(secrets))
  return startStack({
    dataDir,
    natsConfig: await writeTestConfig(dataDir),
    databaseUrl: server.url,
    replicas: { gateway: 2, 'auth-tokens': 2 },
    // As it was known to people, and is named in their JWTs.
    env: { ...testEnv, PUBLIC_URL: gateways[0]?.url ?? '' },
  })
}

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-restore-'))
  await chmod(folder, 0o711)
  return folder
}
