// Where PostgreSQL's data and binaries are: in the data folder and in node_modules, unless the user that it has to run
// as cannot reach them (a clone under /root, which is closed to everyone else).
import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  cp,
  lchown,
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyBinaries, linkLibraries, type PostgresBinaries } from './postgres-binaries.ts'
import { hasCode, readIfPresent } from '../private-file.ts'
import { canRun, type RunAs, unprivilegedUser } from './run-as.ts'

export type PostgresDir = {
  data: string
  native: string
  runAs: RunAs | undefined
  remove(): Promise<void>
}

// /var/lib is not cleaned up; /var/tmp and the temporary folder lose files after days or at a reboot.
const bases = ['/var/lib', '/var/tmp', tmpdir()]
const NOTE = 'location.txt'
const OWNER = 'belongs-to.txt'

/** Finds the folders for the server of `dataDir`, and moves data there that cannot be reached any more. */
export async function postgresDirFor(dataDir: string, binaries: PostgresBinaries): Promise<PostgresDir> {
  await mkdir(dataDir, { recursive: true })
  const home = await realpath(dataDir)
  const recorded = await recordedDir(home)
  const owner = await ownerOf(join(recorded ?? home, 'data'))
  const runAs = await unprivilegedUser(owner)
  if (owner && !runAs && owner.uid !== process.getuid?.()) {
    throw new Error(
      `The database in ${recorded ?? home} belongs to another user (uid ${owner.uid}): it was started as root or by ` +
        'someone else before. Start as that user, or set SVC_DATA_DIR to another folder.',
    )
  }
  // Search permission only: the contents have their own modes.
  if (runAs) await chmod(home, 0o711)
  const reachable = !runAs || (await canRun('test -x "$0"', [home], runAs))
  const folder = await realpath(recorded ?? (reachable ? home : await moveElsewhere(home, runAs)))
  return {
    data: join(folder, 'data'),
    native: await reachableBinaries(binaries, folder, runAs),
    runAs,
    async remove() {
      if (folder !== home) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function recordedDir(home: string): Promise<string | undefined> {
  const dir = (await readIfPresent(join(home, NOTE)))?.trim().split('\n').at(-1)
  if (!dir) return undefined
  const owner = (await readIfPresent(join(dir, OWNER)))?.trim()
  if (owner === undefined || owner === home) return owner && dir
  // Another path is recorded: this clone was moved (take the data along) or copied (leave it to the original).
  if (await lstat(join(owner, NOTE)).catch(() => undefined)) {
    await rm(join(home, NOTE))
    return undefined
  }
  await writeFile(join(dir, OWNER), `${home}\n`)
  return dir
}

async function moveElsewhere(home: string, runAs: RunAs): Promise<string> {
  const key = createHash('sha256').update(home).digest('hex').slice(0, 16)
  const base = await writableBase()
  await removeAbandoned(base, home)
  const dir = join(base, `${key}-${randomBytes(4).toString('hex')}`)
  await mkdir(dir, { mode: 0o700 })
  await writeFile(join(dir, OWNER), `${home}\n`)
  if (await lstat(join(home, 'data')).catch(() => undefined))
    await move(join(home, 'data'), join(dir, 'data'))
  await chownAll(dir, runAs)
  await writeFile(
    join(home, NOTE),
    'PostgreSQL does not run as root, and the user it runs as cannot reach this folder. Its data is in:\n' +
      `${dir}\n`,
  )
  return dir
}

async function writableBase(): Promise<string> {
  for (const parent of bases) {
    const base = join(parent, 'svc-postgres')
    try {
      await mkdir(base, { mode: 0o711 }).catch(error => {
        if (!hasCode(error, 'EEXIST')) throw error
      })
      // In a folder that everyone can write to, someone else may have been first.
      const found = await lstat(base)
      if (!found.isDirectory() || found.uid !== process.getuid?.()) continue
      await chmod(base, 0o711)
      return base
    } catch {
      // read-only; the next one
    }
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no folder for its data that an ordinary user can reach ` +
      `(tried ${bases.join(', ')}). Start as an ordinary user, or set DATABASE_URL.`,
  )
}

/** Deleting .svc deletes the database; the part outside has to follow. */
async function removeAbandoned(base: string, home: string): Promise<void> {
  for (const name of await readdir(base)) {
    const owner = (await readIfPresent(join(base, name, OWNER)))?.trim()
    if (owner === home) await rm(join(base, name), { recursive: true, force: true })
  }
}

async function reachableBinaries(
  binaries: PostgresBinaries,
  folder: string,
  runAs: RunAs | undefined,
): Promise<string> {
  const linked = await linkLibraries(binaries.native)
  const check = 'test -r "$0/share/postgresql/postgres.bki" && test -x "$0/bin/postgres"'
  if (linked && (await canRun(check, [binaries.native], runAs))) return binaries.native
  const copy = join(folder, `native-${binaries.version}`)
  if (await lstat(copy).catch(() => undefined)) return copy
  const draft = `${copy}.${randomBytes(4).toString('hex')}`
  await copyBinaries(binaries.native, draft)
  if (runAs) await chownAll(draft, runAs)
  // Another start may have been faster; its copy is as good.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }))
  return copy
}

async function ownerOf(path: string): Promise<RunAs | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return found && { uid: found.uid, gid: found.gid }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error
    await cp(from, to, { recursive: true, verbatimSymlinks: true })
    await rm(from, { recursive: true })
  }
}

async function chownAll(path: string, { uid, gid }: RunAs): Promise<void> {
  await chown(path, uid, gid)
  for (const entry of await readdir(path, { recursive: true })) await lchown(join(path, entry), uid, gid)
}
