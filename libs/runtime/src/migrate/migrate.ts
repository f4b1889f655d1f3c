/** Migrates a service's schema to the version of its code, or refuses to start. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { readRelease } from '../release.ts'
import { keepCompatibility, readCompatibility, refuseIncompatible } from './compatibility.ts'
import { migrateFunctions, readFunctions } from './migrate-functions.ts'
import { requireDatabase } from './require-database.ts'

const table = 'migrations'
const isNumbered = (name: string) => /^\d{4}_.*\.sql$/.test(name)

/**
 * Applies the migrations that are missing, then the functions and triggers whose text changed, under a lock that other
 * replicas wait for. A schema that a later release has migrated stays as it is.
 *
 * @param schema the service's schema, which the role of `databaseUrl` owns
 * @param location URL of the folder of numbered SQL files
 * @param release this one
 * @throws Error in one sentence where the database is not as required
 * @throws Error when the schema holds a migration of a later release that cannot work with this one
 */
export async function migrate(
  databaseUrl: string,
  schema: string,
  location: URL,
  release = readRelease(),
): Promise<void> {
  const directory = fileURLToPath(location)
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 5, fetch_types: false })
  try {
    await requireDatabase(sql, schema)
    await migrateTables(sql, { databaseUrl, schema, directory, release })
    const functions = await readFunctions(directory)
    if (functions) await migrateFunctions(sql, schema, functions)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

interface Target {
  readonly databaseUrl: string
  readonly schema: string
  readonly directory: string
  readonly release: string
}

async function migrateTables(sql: postgres.Sql, target: Target) {
  const { databaseUrl, schema, directory } = target
  const missing = await missingMigrations(sql, target)
  if (missing.length === 0) return
  const files = missing.map(async name =>
    readCompatibility(name, await readFile(join(directory, `${name}.sql`), 'utf8')),
  )
  await keepCompatibility(sql, schema, await Promise.all(files))
  // Loaded only when there is something to do: it costs more than the rest of the start.
  const { runner } = await import('node-pg-migrate')
  await runner({
    databaseUrl,
    dir: directory,
    // What is not numbered.
    ignorePattern: '(?!\\d{4}_).*',
    direction: 'up',
    migrationsTable: table,
    schema,
    migrationsSchema: schema,
    advisoryLockMode: 'wait',
    log: () => {},
  })
  // A later release may have had the lock first.
  await missingMigrations(sql, target)
}

/** @throws Error where this release cannot work with the schema, or not add to it */
async function missingMigrations(sql: postgres.Sql, { schema, directory, release }: Target) {
  const known = (await readdir(directory)).filter(isNumbered).map(name => name.replace(/\.sql$/, ''))
  const applied = await appliedMigrations(sql, schema)
  const unknown = applied.filter(name => !known.includes(name))
  if (unknown.length > 0) await refuseIncompatible(sql, schema, unknown, release)
  const missing = known.filter(name => !applied.includes(name))
  if (missing.length > 0 && unknown.length > 0) {
    throw new Error(
      `The schema "${schema}" has ${unknown.join(', ')}, which this release (${release}) does not know, and lacks ${missing.join(', ')}, which belongs before. Start a release that has them all.`,
    )
  }
  return missing
}

async function appliedMigrations(sql: postgres.Sql, schema: string): Promise<string[]> {
  const [found] =
    await sql`/* runtime.find_migrations_table */ select to_regclass(${`${schema}.${table}`}) is not null as exists`
  if (!found?.exists) return []
  return (
    await sql`/* runtime.list_migrations */ select name from ${sql(schema)}.${sql(table)} order by id`
  ).map(({ name }) => name)
}
