import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type postgres from 'postgres'
import { withClient } from '../connection/open-client.ts'
import { readRelease } from '../release.ts'
import { keepCompatibility, readCompatibility, refuseIncompatible } from './compatibility.ts'
import { migrateFunctions, readFunctions } from './migrate-functions.ts'
import { underMigrationLock } from './migration-lock.ts'
import { requireDatabase } from './require-database.ts'
import { tableExists } from './table-exists.ts'

const table = 'migrations'
const isNumbered = (name: string) => /^\d{4}_.*\.sql$/.test(name)

/**
 * Applies missing migrations, then changed functions and triggers, under a lock for which other replicas wait. A
 * schema that a later release has migrated stays as it is.
 *
 * @param schema the service's schema, which the role of `databaseUrl` owns
 * @param location URL of the folder of numbered SQL files
 * @param release this one
 * @throws Error in one sentence if the database does not meet the requirements
 * @throws Error if the schema holds a migration of a later release that cannot work with this one
 */
export async function migrate(
  databaseUrl: string,
  schema: string,
  location: URL,
  release = readRelease(),
): Promise<void> {
  const directory = fileURLToPath(location)
  await withClient(databaseUrl, async sql => {
    await requireDatabase(sql, schema)
    await migrateTables(sql, { schema, directory, release })
    const functions = await readFunctions(directory)
    if (functions) await migrateFunctions(sql, schema, functions)
  })
}

interface Target {
  readonly schema: string
  readonly directory: string
  readonly release: string
}

interface Migration {
  readonly name: string
  readonly text: string
  readonly compatible_from: string
}

/**
 * Each migration has its own transaction, which looks again at what is missing: another release may get the lock in
 * between.
 */
async function migrateTables(sql: postgres.Sql, target: Target) {
  const missing = await missingMigrations(sql, target)
  const texts = await Promise.all(
    missing.map(name => readFile(join(target.directory, `${name}.sql`), 'utf8')),
  )
  // All are checked before the first one is applied.
  const migrations = missing.map((name, at) => {
    const text = texts[at] ?? ''
    return { text, ...readCompatibility(name, text) }
  })
  for (const migration of migrations) {
    await underMigrationLock(sql, async tx => {
      if ((await missingMigrations(tx, target)).includes(migration.name))
        await apply(tx, target.schema, migration)
    })
  }
}

async function apply(
  tx: postgres.TransactionSql,
  schema: string,
  { name, text, compatible_from }: Migration,
) {
  await keepCompatibility(tx, schema, { name, compatible_from })
  await tx`/* runtime.create_migrations */
    create table if not exists ${tx(schema)}.${tx(table)} (
      id serial primary key,
      name text collate "C" not null,
      run_on timestamp not null
    )`
  await tx`/* runtime.set_migration_path */ select set_config('search_path', quote_ident(${schema}), true)`
  await tx.unsafe(text)
  await tx`/* runtime.write_migration */ insert into ${tx(schema)}.${tx(table)} (name, run_on) values (${name}, now())`
}

/** @throws Error if this release cannot work with the schema, or not add to it */
async function missingMigrations(sql: postgres.ISql, { schema, directory, release }: Target) {
  const known = (await readdir(directory)).filter(isNumbered).map(name => name.replace(/\.sql$/, ''))
  const applied = await appliedMigrations(sql, schema)
  const unknown = applied.filter(name => !known.includes(name))
  if (unknown.length > 0) await refuseIncompatible(sql, schema, unknown, release)
  const missing = known.filter(name => !applied.includes(name)).sort()
  if (missing.length > 0 && unknown.length > 0) {
    throw new Error(
      `The schema "${schema}" has ${unknown.join(', ')}, which this release (${release}) does not know, and lacks ${missing.join(', ')}, which belongs before. Start a release that has them all.`,
    )
  }
  const later = applied.filter(name => missing[0] !== undefined && name > missing[0])
  if (later.length > 0)
    throw new Error(
      `The schema "${schema}" has ${later.join(', ')}, and lacks ${missing[0]}, which belongs before.`,
    )
  return missing
}

async function appliedMigrations(sql: postgres.ISql, schema: string): Promise<string[]> {
  if (!(await tableExists(sql, schema, table))) return []
  return (
    await sql`/* runtime.list_migrations */ select name from ${sql(schema)}.${sql(table)} order by id`
  ).map(({ name }) => name)
}
