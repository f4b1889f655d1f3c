/**
 * The table of events has a partition for each month: created before it begins, and dropped when all of it is too
 * old.
 */
import type { Sql } from '@svc/runtime/database'

const monthsAhead = 2

export async function maintainPartitions(
  sql: () => Sql,
  now: number,
  retentionDays: number,
): Promise<boolean> {
  const today = new Date(now)
  const months = Array.from({ length: monthsAhead + 1 }, (_, ahead) => addMonths(today, ahead))
  await ensurePartitions(
    sql,
    months.map(month => month.getTime()),
  )
  await removePartitions(sql, new Date(now - retentionDays * 86_400_000))
  return false
}

export async function ensurePartitions(sql: () => Sql, times: readonly number[]): Promise<void> {
  const months = new Map(times.map(time => [nameOf(new Date(time)), firstOf(new Date(time))]))
  for (const [name, from] of months) {
    await sql()`/* activity.make_partition */
      select make_partition(${name}, ${from.toISOString()}::timestamptz, ${addMonths(from, 1).toISOString()}::timestamptz)`
  }
}

async function removePartitions(sql: () => Sql, before: Date): Promise<void> {
  const last = nameOf(addMonths(before, -1))
  const old = await sql()<{ name: string }>`/* activity.find_old_partitions */
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname ~ '^events_[0-9]{6}$' and c.relname <= ${last}
    order by c.relname`
  for (const { name } of old) await sql()`/* activity.remove_partition */ select remove_partition(${name})`
}

const firstOf = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
const addMonths = (date: Date, by: number) =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by, 1))
const nameOf = (date: Date) => `events_${date.toISOString().slice(0, 7).replace('-', '')}`
