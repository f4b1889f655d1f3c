/** Migrates a service's schema to the version of its code, or refuses to start. */
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { migrateFunctions, readFunctions } from './migrate-functions.ts'

const table = 'migrations'
const isNumbered = (name: string) => /^\d{4}_.*\.sql$/.test(name)

/**
 * Applies the migrations that are missing, then the functions and triggers whose text changed, under a lock that other
 * replicas wait for.
 *
 * @param schema the service's schema, which the role of `databaseUrl` owns
 * @param location URL of the folder of numbered SQL files
 * @throws Error when the schema holds a migration that this code does not have: it belongs to a newer release
 */
export async function migrate(databaseUrl: string, schema: string, location: URL): Promise<void> {
  const directory = fileURLToPath(location)
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 5, fetch_types: false })
  try {
    await migrateTables(sql, databaseUrl, schema, directory)
    const functions = await readFunctions(directory)
    if (functions) await migrateFunctions(sql, schema, functions)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function migrateTables(sql: postgres.Sql, databaseUrl: string, schema: string, directory: string) {
  const known = (await readdir(directory)).filter(isNumbered).map(name => name.replace(/\.sql$/, ''))
  const applied = await appliedMigrations(sql, schema)
  const unknown = applied.filter(name => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(
      `The schema "${schema}" has migrations that this release does not know: ${unknown.join(', ')}. Start the release that created them.`,
    )
  }
  if (applied.length === known.length) return
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
}

async function appliedMigrations(sql: postgres.Sql, schema: string): Promise<string[]> {
  const [found] =
    await sql`/* runtime.find_migrations_table */ select to_regclass(${`${schema}.${table}`}) is not null as exists`
  if (!found?.exists) return []
  return (
    await sql`/* runtime.list_migrations */ select name from ${sql(schema)}.${sql(table)} order by id`
  ).map(({ name }) => name)
}
