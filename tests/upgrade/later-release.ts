/** A release after another: its build in a folder of its own, with a migration and a revision of functions more. */
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceNames } from '@svc/contract/manifest'
import type { Manifest } from '@svc/runtime/migrate/migrate-functions'

const programs = [...serviceNames, 'gateway']
/** What an image has of them. */
const isBuilt = (path: string) => !/[\\/](src|test|node_modules)$/.test(path)

interface LaterRelease {
  /** Root folder of the build that it is made from. */
  readonly after: string
  readonly version: string
  /** Of its migrations. */
  readonly compatible_from: string
}

/** @returns its root folder, for the caller to remove */
export async function buildLaterRelease({ after, version, compatible_from }: LaterRelease): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'svc-release-'))
  const manifest = JSON.parse(await readFile(join(after, 'package.json'), 'utf8'))
  await writeFile(join(root, 'package.json'), JSON.stringify({ ...manifest, version }))
  for (const folder of ['deploy', 'libs', ...programs.map(name => `services/${name}`)]) {
    await cp(join(after, folder), join(root, folder), { recursive: true, filter: isBuilt })
  }
  await linkPackages(join(after, 'node_modules'), join(root, 'node_modules'))
  for (const name of serviceNames) {
    const migrations = join(root, 'services', name, 'migrations')
    await addMigration(migrations, compatible_from)
    await addRevision(migrations)
  }
  return root
}

/** Those of the workspace lead to the folder's own copies. */
async function linkPackages(from: string, to: string) {
  await mkdir(to)
  for (const name of await readdir(from)) {
    if (name === '@svc')
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else await symlink(join(from, name), join(to, name))
  }
}

/** Expands: a table, a column that has a default, and an index. */
async function addMigration(migrations: string, compatible_from: string) {
  const numbered = (await readdir(migrations)).filter(name => /^\d{4}_/.test(name))
  const number = String(numbered.length + 1).padStart(4, '0')
  await writeFile(
    join(migrations, `${number}_later.sql`),
    `-- compatible_from: ${compatible_from}
create table later_${number} (id text primary key);
alter table outbox add column later_${number} text not null default 'later';
create index later_${number}_outbox on outbox (later_${number});
`,
  )
}

/** Every function and trigger is replaced. */
async function addRevision(migrations: string) {
  const file = join(migrations, 'functions/manifest.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest
  await writeFile(file, JSON.stringify({ ...manifest, revision: manifest.revision + 1 }))
  await appendFile(join(migrations, 'triggers.sql'), '\n-- Of a later release.\n')
}
