/** The outbox: events that were written together with the changes they tell, and are not in the stream yet. */
import type { Sql } from './database.ts'

export interface OutboxEvent {
  /** Greater than that of any earlier event of the same aggregate. */
  readonly sequence: number
  readonly id: string
  readonly aggregate_id: string
  readonly subject: string
  /** The message, as JSON: `eventMessage` of the contract. */
  readonly body: string
}

/** How long a relay holds the lease after it was renewed last. */
export const leaseSeconds = 5
/** How long an event that was refused for its own sake waits for another attempt. */
const heldSeconds = 60
const batchSize = 256

/**
 * Removes the events that are `done`, and takes the oldest others: in the order of each aggregate, for as long as
 * `leased` says that nobody else publishes. Where nothing waits the lease is given back.
 *
 * What is "not removed yet" is taken, never what comes "after the last one": rows become visible in the order in which
 * their statements are committed, which is not the order of their numbers.
 *
 * @param holder names this relay, and no other one ever
 */
export async function takeEvents(
  sql: Sql,
  { holder, done }: { holder: string; done: readonly number[] },
): Promise<{ leased: boolean; events: OutboxEvent[] }> {
  // Times are those of the database: replicas agree on no other clock.
  const rows = await sql<OutboxEvent & { leased: boolean }>`
    with removed as (
      delete from outbox where sequence = any (${done}::bigint[])
    ), waiting as materialized (
      select sequence, id, aggregate_id, subject, json_build_object(
        'id', id, 'type', substr(subject, 8), 'aggregate_id', aggregate_id, 'sequence', sequence,
        'created_at', floor(extract(epoch from created_at))::bigint, 'data', payload
      )::text as body
      from outbox o
      where sequence <> all (${done}::bigint[]) and (held_until is null or held_until <= now()) and (
        select h.sequence from outbox h
        where h.aggregate_id = o.aggregate_id and h.sequence < o.sequence and h.held_until > now()
        limit 1
      ) is null
      order by sequence limit ${batchSize}
    ), lease as (
      update outbox_lease set holder = ${holder},
        until = now() + make_interval(secs => case when exists (select from waiting) then ${leaseSeconds}::int else 0 end)
      where name = 'relay' and case
        when holder = ${holder} then exists (select from waiting) or until > now()
        else exists (select from waiting) and until <= now()
      end
      returning name
    )
    select waiting.*, lease.name is not null as leased from waiting left join lease on true order by sequence`
  return {
    leased: rows[0]?.leased ?? false,
    events: rows.map(({ leased, ...event }) => event),
  }
}

/**
 * Removes the events that are `done`, puts off those that were `refused` for their own sake, and gives the lease back.
 */
export const leaveEvents = (
  sql: Sql,
  { holder, done, refused }: { holder: string; done: readonly number[]; refused: readonly number[] },
) => sql`
  with removed as (
    delete from outbox where sequence = any (${done}::bigint[])
  ), held as (
    update outbox set held_until = now() + make_interval(secs => ${heldSeconds})
    where sequence = any (${refused}::bigint[])
  )
  update outbox_lease set until = now() where name = 'relay' and holder = ${holder} and until > now()`
