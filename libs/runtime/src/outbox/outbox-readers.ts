/**
 * Readers of the outbox, each of which takes every event: the relay (`stream`), and the service `activity`.
 *
 * A reader takes what is "visible and not taken yet", never what comes "after the last one": rows become visible in the order in
 * which their statements are committed, which is not the order of their numbers. What was taken is a set of ranges, nearly always
 * one, so what was not is found by a look at the few gaps and at the end, however many rows wait there for another reader.
 */
import type { Sql } from '../database.ts'
import { type Fragment, fragment } from '../sql-fragment.ts'

export type OutboxReader = 'stream' | 'activity'

/** An event as the outbox knows it. After a failover that lost the newest events, their numbers are given to others. */
export interface OutboxKey {
  readonly sequence: number
  readonly uuid: string
}

/**
 * Notes that `reader` has taken the events, and removes those that every other one has: the expressions `done` and `noted` and what
 * belongs to them. The rows of all readers are locked, so that of two who take the same event the later one removes it.
 */
export const noteTaken = (reader: OutboxReader, taken: readonly OutboxKey[]): Fragment => {
  const sequences = taken.map(({ sequence }) => sequence)
  return fragment`
  done as materialized (
    select o.sequence
    from unnest(${sequences}::bigint[], ${taken.map(({ uuid }) => uuid)}::text[]) as d (sequence, uuid)
    join outbox o on o.sequence = d.sequence and o.id = d.uuid::uuid
  ), done_ranges as materialized (
    select coalesce(range_agg(int8range(sequence, sequence, '[]')), '{}') as ranges from done
  ), by_others as materialized (
    select coalesce(range_intersect_agg(taken) filter (where name <> ${reader}), '{(,)}') as taken
    from (
      select name, taken from outbox_readers where cardinality(${sequences}::bigint[]) > 0 order by name for update
    ) as locked
  ), noted as (
    update outbox_readers r set taken = r.taken + d.ranges
    from done_ranges d, by_others
    where r.name = ${reader} and not isempty(d.ranges) and by_others.taken is not null
  ), removed as (
    delete from outbox o using done d, by_others b where o.sequence = d.sequence and b.taken @> d.sequence
  )`
}

/** The ranges of numbers that `reader` has not taken, as `low` and `high`; `more` was taken just now. */
export const gapsOf = (
  reader: OutboxReader,
  more: Fragment = fragment`'{}'::int8multirange`,
): Fragment => fragment`
  select coalesce(lower(gap), 0) as low, coalesce(upper(gap) - 1, ${highest}::bigint) as high
  from outbox_readers r, unnest('{(,)}'::int8multirange - r.taken - ${more}) as gap
  where r.name = ${reader}`

/** The greatest number that is exact in JavaScript. */
const highest = Number.MAX_SAFE_INTEGER

/** Notes and removes by a statement of its own. */
export const leaveTaken = (sql: Sql, reader: OutboxReader, taken: readonly OutboxKey[]) =>
  sql`/* runtime.note_taken */ with ${noteTaken(reader, taken)} select from done limit 0`

/**
 * How long the oldest event has waited that `reader` has not taken, in seconds; 0 where there is none.
 *
 * @param done taken, and not noted yet
 */
export async function oldestAge(
  sql: Sql,
  reader: OutboxReader,
  done: readonly OutboxKey[] = [],
): Promise<number> {
  const [oldest] = await sql<{ age: number }>`/* runtime.oldest_event_age */
    with gaps as materialized (${gapsOf(reader)})
    select extract(epoch from now() - o.created_at)::float8 as age
    from gaps, lateral (
      select sequence, created_at from outbox
      where sequence between low and high
        and sequence not in (select unnest(${done.map(({ sequence }) => sequence)}::bigint[]))
      order by sequence limit 1
    ) o
    order by o.sequence
    limit 1`
  return Math.max(0, oldest?.age ?? 0)
}
