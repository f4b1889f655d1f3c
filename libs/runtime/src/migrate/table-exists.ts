import type postgres from 'postgres'

/**
 * Whether the schema has that table, as of this statement: `to_regclass` may answer from the session's cache, which
 * within a transaction misses what a replica committed just before it gave the migration lock away.
 */
export async function tableExists(sql: postgres.ISql, schema: string, table: string): Promise<boolean> {
  const [found] = await sql`/* runtime.find_table */ select exists (
    select from pg_catalog.pg_tables where schemaname = ${schema} and tablename = ${table}) as exists`
  return found?.exists
}
