import { randomUUID } from 'node:crypto'
import { mkdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { claimPrivateFile, hasCode, readIfPresent } from './private-file.ts'

export type DataDirLock = {
  /** Whether its last holder died without releasing it, as after kill -9. */
  tookOver: boolean
  release(): Promise<void>
}

type Holder = { pid: number; started: string | undefined; id: string }

const TAKEOVER_PATIENCE_MS = 10_000

/**
 * Keeps a second `npm start` off the same data folder.
 *
 * @throws Error that names the process that holds it
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, 'lock')
  const me: Holder = { pid: process.pid, started: await startedAt(process.pid), id: randomUUID() }
  const content = `${JSON.stringify(me)}\n`
  const release = async () => {
    if ((await readIfPresent(path)) === content) await rm(path, { force: true })
  }
  if (await claimPrivateFile(path, content)) return { tookOver: false, release }

  const held = (pid: number | undefined) =>
    new Error(
      `Another "npm start"${pid ? ` (process ${pid})` : ''} is already using ${dataDir}. Stop it, or set ` +
        'SVC_DATA_DIR to another folder (and PORT to another port).',
    )
  const found = await holderOf(path)
  if (found && (await isAlive(found))) throw held(found.pid)

  // Two may find it stale: only the holder of this folder may take it over, and checks again first.
  const takeover = `${path}.takeover`
  const age = await stat(takeover).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  )
  if (age > TAKEOVER_PATIENCE_MS) await rmdir(takeover).catch(() => {})
  await mkdir(takeover).catch(error => {
    throw hasCode(error, 'EEXIST') ? held(undefined) : error
  })
  try {
    const current = await holderOf(path)
    if (current && (await isAlive(current))) throw held(current.pid)
    await rm(path, { force: true })
    if (!(await claimPrivateFile(path, content))) throw held(undefined)
    return { tookOver: true, release }
  } finally {
    await rmdir(takeover).catch(() => {})
  }
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse((await readIfPresent(path)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return false
  }
  // After a reboot the number may belong to another process.
  const now = await startedAt(pid)
  return now === started || now === undefined || started === undefined
}

/** When a process began, precise enough to distinguish it from a later one with the same id; needs /proc. */
async function startedAt(pid: number): Promise<string | undefined> {
  const [boot, text] = await Promise.all([
    readIfPresent('/proc/sys/kernel/random/boot_id').catch(() => undefined),
    readIfPresent(`/proc/${pid}/stat`).catch(() => undefined),
  ])
  // The program's name is in parentheses and may contain anything; field 22 counts from before it.
  const ticks = text?.slice(text.lastIndexOf(')') + 2).split(' ')[19]
  return ticks && `${boot?.trim()}:${ticks}`
}
