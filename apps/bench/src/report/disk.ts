/** The disk that tables and their indexes take, partitions with the table that they belong to. */
import type postgres from 'postgres'
import { table, whole } from './table.ts'

/** Smaller ones are left out. */
const leastBytes = 1_000_000

export async function diskSection(sql: postgres.Sql): Promise<string> {
  const rows = await sql<{ name: string; rows: number; own: number; indexes: number }[]>`
    select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, sum(greatest(c.reltuples, 0))::float8 as rows,
      sum(pg_table_size(c.oid))::float8 as own, sum(pg_indexes_size(c.oid))::float8 as indexes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'
    group by 1 having sum(pg_total_relation_size(c.oid)) > ${leastBytes}
    order by sum(pg_total_relation_size(c.oid)) desc`
  const [all] = await sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`
  const mb = (bytes: number) => whole(bytes / 1e6)
  return `${table(
    ['table', 'rows', 'MB', 'of indexes', 'bytes a row', 'with indexes'],
    rows.map(({ name, rows: count, own, indexes }) => [
      name,
      ...[whole(count), mb(own + indexes), mb(indexes), whole(own / count), whole((own + indexes) / count)],
    ]),
  )}\n\nThe database: ${mb(all?.bytes ?? 0)} MB.`
}
