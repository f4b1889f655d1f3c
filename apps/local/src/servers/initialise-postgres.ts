import { randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describeExit, spawnOwnProcess } from '../processes/own-process.ts'
import { postgresFailure, postgresUnrunnable } from './postgres-failure.ts'
import type { PostgresDir } from './postgres-dir.ts'
import { claimPrivateFile, readIfPresent } from '../private-file.ts'

/** The superuser's password, created with the cluster and stored next to the data. */
export async function superuserPassword(dataDir: string, postgresDir: PostgresDir): Promise<string> {
  const path = join(dataDir, 'password')
  const fresh = randomBytes(24).toString('base64url')
  if (!(await isInitialised(postgresDir)) && (await claimPrivateFile(path, `${fresh}\n`))) return fresh
  const kept = (await readIfPresent(path))?.trim()
  if (kept) return kept
  throw new Error(
    `The password of the database in ${postgresDir.data} is missing: ${path}. Restore that file, or delete ${dataDir} ` +
      'and with it all data.',
  )
}

/** Creates the database cluster if there is none yet. A crash in between leaves none, rather than half of one. */
export async function initialisePostgres(
  { data, native, runAs }: PostgresDir,
  password: string,
  { sync, env, onLog }: { sync: boolean; env: NodeJS.ProcessEnv; onLog?: (line: string) => void },
): Promise<void> {
  const folder = dirname(data)
  for (const name of await readdir(folder)) {
    if (name.startsWith('data.draft-')) await rm(join(folder, name), { recursive: true, force: true })
  }
  if (await isInitialised({ data })) return
  const draft = join(folder, `data.draft-${randomBytes(4).toString('hex')}`)
  const passwordFile = `${draft}.password`
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' })
  if (runAs) for (const path of [draft, passwordFile]) await chown(path, runAs.uid, runAs.gid)
  try {
    await initdb(native, [`--pgdata=${draft}`, `--pwfile=${passwordFile}`, ...(sync ? [] : ['--no-sync'])], {
      env,
      onLog,
      data,
      ...runAs,
    })
    await rename(draft, data)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

type Run = {
  env: NodeJS.ProcessEnv
  onLog?: (line: string) => void
  data: string
  uid?: number
  gid?: number
}

async function initdb(native: string, args: string[], { onLog, data, ...options }: Run): Promise<void> {
  const program = join(native, 'bin', 'initdb')
  // The C library's own locale does not depend on the system.
  const fixed = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
  const child = await spawnOwnProcess(program, [...args, ...fixed], {
    ...options,
    cwd: '/',
    onLine: onLog,
  }).catch(error => Promise.reject(postgresUnrunnable(program, error)))
  const exit = await child.exited
  if (exit.code !== 0) throw postgresFailure('initdb', describeExit(exit), child.tail(), { port: 0, data })
}

async function isInitialised({ data }: Pick<PostgresDir, 'data'>): Promise<boolean> {
  return (await lstat(join(data, 'PG_VERSION')).catch(() => undefined)) !== undefined
}
