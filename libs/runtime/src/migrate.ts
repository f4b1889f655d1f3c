/** Brings a service's schema to the version that its code knows, or refuses to start. */
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'

const table = 'migrations'

/**
 * Applies the migrations that are missing, under a lock that other replicas wait for.
 *
 * @param schema the service's schema, which the role of `databaseUrl` owns
 * @param location URL of the folder of numbered SQL files
 * @throws Error when the schema holds a migration that this code does not have: it belongs to a newer release
 */
export async function migrate(databaseUrl: string, schema: string, location: URL): Promise<void> {
  const directory = fileURLToPath(location)
  const files = (await readdir(directory)).filter(name => name.endsWith('.sql')).sort()
  const known = files.map(name => name.replace(/\.sql$/, ''))
  const applied = await appliedMigrations(databaseUrl, schema)
  const unknown = applied.filter(name => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(
      `The schema "${schema}" has migrations that this release does not know: ${unknown.join(', ')}. Start the release that made them.`,
    )
  }
  if (applied.length === known.length) return
  // Loaded only when there is something to do: it costs more than the rest of the start.
  const { runner } = await import('node-pg-migrate')
  await runner({
    databaseUrl,
    dir: directory,
    direction: 'up',
    migrationsTable: table,
    schema,
    migrationsSchema: schema,
    advisoryLockMode: 'wait',
    log: () => {},
  })
}

async function appliedMigrations(databaseUrl: string, schema: string): Promise<string[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 5, fetch_types: false })
  try {
    const [found] = await sql`select to_regclass(${`${schema}.${table}`}) is not null as exists`
    if (!found?.exists) return []
    return (await sql`select name from ${sql(schema)}.${sql(table)} order by id`).map(({ name }) => name)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
