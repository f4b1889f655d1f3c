/** Releases that are not there, made of a build that is: copies of it in folders of their own. */
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceNames } from '@svc/contract/manifest'
import { repoRoot } from '@svc/local/repo-root'
import type { Manifest } from '@svc/runtime/migrate/migrate-functions'

const programs = [...serviceNames, 'gateway']
/** What an image has of them. */
const isBuilt = (path: string) => !/[\\/](src|test|node_modules)$/.test(path)

interface LaterRelease {
  /** Root folder of the build that it is made from. */
  readonly after: string
  readonly version: string
  /** From its migrations. */
  readonly compatible_from: string
}

/**
 * A release with a migration and a revision of functions more.
 *
 * @returns its root folder, for the caller to remove
 */
export async function buildLaterRelease({ after, version, compatible_from }: LaterRelease): Promise<string> {
  const root = await copyBuild(after)
  const manifest = JSON.parse(await readFile(join(after, 'package.json'), 'utf8'))
  await writeFile(join(root, 'package.json'), JSON.stringify({ ...manifest, version }))
  for (const name of serviceNames) {
    const migrations = join(root, 'services', name, 'migrations')
    await addMigration(migrations, compatible_from)
    await addRevision(migrations)
  }
  return root
}

/**
 * A release whose program has no operations of these names yet: it neither serves nor calls them.
 *
 * @returns its root folder, for the caller to remove
 */
export async function buildWithout(program: string, operations: readonly string[]): Promise<string> {
  const root = await copyBuild(repoRoot)
  const file = join(root, 'services', program, 'dist/main.js')
  let text = await readFile(file, 'utf8')
  for (const name of operations) {
    if (!text.includes(name)) throw new Error(`${program} knows no ${name}.`)
    text = text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `not_yet_${name}`)
  }
  await writeFile(file, text)
  return root
}

async function copyBuild(of: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'svc-release-'))
  for (const path of ['package.json', 'deploy', 'libs', ...programs.map(name => `services/${name}`)]) {
    await cp(join(of, path), join(root, path), { recursive: true, filter: isBuilt })
  }
  await linkPackages(join(of, 'node_modules'), join(root, 'node_modules'))
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
  const first = await readFile(join(migrations, '0001_init.sql'), 'utf8')
  const table = first.includes('create table outbox ') ? 'outbox' : 'sources'
  await writeFile(
    join(migrations, `${number}_later.sql`),
    `-- compatible_from: ${compatible_from}
create table later_${number} (id text primary key);
alter table ${table} add column later_${number} text not null default 'later';
create index later_${number}_index on ${table} (later_${number});
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
