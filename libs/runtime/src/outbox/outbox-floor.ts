/**
 * Where to start reading the outbox. Removed rows stay in its index until they are vacuumed, which waits for
 * every older statement, such as a dump of the database; reading from the beginning would pass all of them.
 */
import type { Sql } from '../database.ts'

export interface Floor {
  /** No event in the outbox has this number or a lower one, now or later. */
  readonly value: number
  /** The highest number taken: all numbers up to it have been drawn. */
  taken(sequence: number): void
  /** Raises the floor, at most once a second. */
  raise(sql: Sql): Promise<void>
}

const raiseEveryMs = 1000
/** The floor is recomputed from time to time: the database may have been replaced. */
const forgetEveryMs = 60_000

interface Reading {
  /** The lowest transaction that was in progress, and the next one. */
  readonly xmin: number
  readonly xmax: number
  /** The first event that is there. */
  readonly first: number | null
}

/**
 * The number of an event is drawn before its row can be seen, and later ones may be seen before it: a number is a floor
 * only when every transaction that may have drawn one up to it has ended. Those are older than a look that comes a second
 * after the number was known.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function createFloor(now: () => number = () => performance.now()): Floor {
  let value = 0
  let taken = 0
  /** Known to be drawn; with `xmax`, by transactions before that one. */
  let drawn: number | undefined
  let bounded: { drawn: number; xmax: number } | undefined
  let readAt = 0
  let foundAt = now()
  return {
    get value() {
      return value
    },
    taken(sequence) {
      if (sequence > taken) taken = sequence
    },
    async raise(sql) {
      const at = now()
      if (at - readAt < raiseEveryMs) return
      readAt = at
      if (at - foundAt >= forgetEveryMs) {
        value = taken = 0
        drawn = bounded = undefined
        foundAt = at
      }
      if (taken <= value) return
      const [reading] = await sql<Reading>`/* runtime.read_outbox_snapshot */
        select pg_snapshot_xmin(s)::text::bigint as xmin, pg_snapshot_xmax(s)::text::bigint as xmax, (
          select sequence from outbox where sequence > ${value} order by sequence limit 1
        ) as first
        from pg_current_snapshot() as s`
      if (!reading) return
      if (bounded && reading.xmin >= bounded.xmax) {
        value = Math.max(value, Math.min(bounded.drawn, (reading.first ?? Number.POSITIVE_INFINITY) - 1))
        bounded = undefined
      }
      if (drawn !== undefined) bounded ??= { drawn, xmax: reading.xmax }
      drawn = taken
    },
  }
}
