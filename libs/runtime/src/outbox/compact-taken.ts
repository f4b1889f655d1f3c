/**
 * Numbers that never become rows, as of transactions that were rolled back, leave gaps in what a reader has taken. They are
 * closed here, lest there be ever more of them.
 */
import type { Sql } from '../database.ts'
import { gapsOf, type OutboxReader } from './outbox-readers.ts'

export interface Compaction {
  /** Closes what gaps it can, at most once a second. */
  close(sql: Sql): Promise<void>
}

const everyMs = 1000
/** The database may have been replaced, and with it the numbers of transactions. */
const forgetEveryMs = 60_000

interface Reading {
  /** The lowest transaction that was in progress, and the next one. */
  readonly xmin: number
  readonly xmax: number
  /** The highest number taken: it was drawn, and all below it. */
  readonly highest: number
}

/**
 * The number of an event is drawn before its row can be seen, and later ones may be seen before it: a gap is closed only when every
 * transaction that may have drawn one up to it has ended. Those are older than a look that comes a second after a greater
 * number was known. Never above what the same statement finds taken: after a failover that lost the newest events, greater
 * numbers are given again.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function createCompaction(
  reader: OutboxReader,
  now: () => number = () => performance.now(),
): Compaction {
  /** Known to be drawn; with `xmax`, by transactions before that one. */
  let drawn: number | undefined
  let bounded: { drawn: number; xmax: number } | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let foundAt = now()
  return {
    async close(sql) {
      const at = now()
      if (at - readAt < everyMs) return
      readAt = at
      if (at - foundAt >= forgetEveryMs) {
        drawn = bounded = undefined
        foundAt = at
      }
      const [reading] = await sql<Reading>`/* runtime.compact_taken */
        with now_open as materialized (
          select pg_snapshot_xmin(s)::text::bigint as xmin, pg_snapshot_xmax(s)::text::bigint as xmax
          from pg_current_snapshot() as s
        ), reader as materialized (
          select upper(taken) - 1 as highest from outbox_readers where name = ${reader}
        ), gaps as materialized (${gapsOf(reader)}),
        closed as (
          update outbox_readers r set taken = r.taken + int8multirange(int8range(null, l.until, '[]'))
          from (
            select least(
              (select highest from reader), ${bounded?.drawn ?? 0}::bigint,
              (
                select min(o.sequence) - 1
                from gaps, lateral (
                  select sequence from outbox where sequence between low and high order by sequence limit 1
                ) o
              )
            ) as until
          ) l
          where r.name = ${reader} and (select xmin from now_open) >= ${bounded?.xmax ?? null}::bigint
        )
        select xmin, xmax, highest from now_open, reader`
      if (!reading) return
      if (bounded && reading.xmin >= bounded.xmax) bounded = undefined
      if (drawn !== undefined) bounded ??= { drawn, xmax: reading.xmax }
      drawn = reading.highest
    },
  }
}
