/**
 * Brings the functions and triggers of a service's schema to this release's text while they are in use:
 * docs/inside/schema.md.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type postgres from 'postgres'
import { underMigrationLock } from './migration-lock.ts'
import { tableExists } from './table-exists.ts'

/** `functions/manifest.json`, which `npm run schema` writes. */
export interface Manifest {
  readonly revision: number
  readonly sha256: string
  /** Functions of `libs/runtime/functions`, which several services use. */
  readonly shared: readonly string[]
}

export interface FunctionSources {
  readonly manifest: Manifest
  readonly sha256: string
  readonly functions: string
  readonly triggers: string
}

/**
 * How long to wait for the lock on a trigger's table: writers queue behind it. Shorter than PostgreSQL's
 * deadlock_timeout, so that the migration gives way; longer in the end, because a vacuum gives way only then.
 */
const lockTimeouts = [...Array(40).fill('100ms'), ...Array(5).fill('2s')]
const pauseMs = 200
const lockFailures = new Set(['55P03', '40P01'])

const shared = new URL('../../functions/', import.meta.url)

/**
 * @param directory with the numbered files, `functions/*.sql`, `functions/manifest.json` and `triggers.sql`
 * @returns undefined if there are no functions
 */
export async function readFunctions(directory: string): Promise<FunctionSources | undefined> {
  const folder = join(directory, 'functions')
  if (!existsSync(folder)) return
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const own = (await readdir(folder)).filter(name => name.endsWith('.sql')).map(name => join(folder, name))
  const common = manifest.shared.map(name => fileURLToPath(new URL(`${name}.sql`, shared)))
  const texts = await Promise.all([...common, ...own].sort(byName).map(path => readFile(path, 'utf8')))
  const functions = texts.join('\n')
  const triggers = await readFile(join(directory, 'triggers.sql'), 'utf8')
  return { manifest, sha256: sha256(functions + triggers), functions, triggers }
}

/**
 * Applies all of them in one transaction, unless the database has this text or a later revision.
 *
 * @param sql a connection of the role that owns the schema
 * @throws Error if a text is faulty, or a trigger's table stays locked for more than about twenty seconds
 */
export async function migrateFunctions(
  sql: postgres.Sql,
  schema: string,
  sources: FunctionSources,
): Promise<void> {
  if (isApplied(await keptRevision(sql, schema), sources)) return
  for (const [attempt, lockTimeout] of lockTimeouts.entries()) {
    try {
      await underMigrationLock(sql, tx => apply(tx, schema, sources, lockTimeout))
      return
    } catch (error) {
      const isLocked = lockFailures.has((error as { code?: string }).code ?? '')
      if (!isLocked || attempt === lockTimeouts.length - 1) throw error
      await sleep(pauseMs)
    }
  }
}

interface Kept {
  readonly revision: number
  readonly sha256: string
  readonly triggers_sha256: string
}

/** A replica of the previous release that starts later must not undo a later text. */
function isApplied(kept: Kept | undefined, { manifest, sha256 }: FunctionSources): boolean {
  if (!kept) return false
  return kept.revision > manifest.revision || (kept.revision === manifest.revision && kept.sha256 === sha256)
}

async function apply(
  tx: postgres.TransactionSql,
  schema: string,
  sources: FunctionSources,
  lockTimeout: string,
) {
  const kept = await keptRevision(tx, schema)
  if (isApplied(kept, sources)) return
  await tx`/* runtime.set_function_path */ select set_config('search_path', quote_ident(${schema}), true), set_config('lock_timeout', ${lockTimeout}, true)`
  await tx`/* runtime.create_function_revision */
    create table if not exists function_revision (
      only_row boolean primary key default true check (only_row),
      revision integer not null,
      sha256 text collate "C" not null,
      triggers_sha256 text collate "C" not null
    )`
  // Bodies are checked in the second pass, when everything they call exists.
  for (const check of ['off', 'on']) {
    await tx`/* runtime.check_function_bodies */ select set_config('check_function_bodies', ${check}, true)`
    await tx.unsafe(sources.functions)
  }
  const triggersSha256 = sha256(sources.triggers)
  // Triggers are replaced only if they changed, because each locks its table.
  if (kept?.triggers_sha256 !== triggersSha256) await tx.unsafe(sources.triggers)
  await tx`/* runtime.write_function_revision */
    insert into function_revision (revision, sha256, triggers_sha256)
    values (${sources.manifest.revision}, ${sources.sha256}, ${triggersSha256})
    on conflict (only_row) do update set
      revision = excluded.revision, sha256 = excluded.sha256, triggers_sha256 = excluded.triggers_sha256`
}

async function keptRevision(sql: postgres.ISql, schema: string): Promise<Kept | undefined> {
  if (!(await tableExists(sql, schema, 'function_revision'))) return
  const [kept] = await sql<
    Kept[]
  >`/* runtime.read_function_revision */ select revision, sha256, triggers_sha256 from ${sql(schema)}.function_revision`
  return kept
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const byName = (a: string, b: string) => (fileName(a) < fileName(b) ? -1 : 1)
const fileName = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
