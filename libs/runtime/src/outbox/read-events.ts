/** The service `activity` reads each event of an outbox until it confirms it. */
import type { Handler } from '@svc/contract/core/operation'
import type { outboxOperations, ReadEvent } from '@svc/contract/core/reading-events'
import type { Database, Sql } from '../database.ts'
import { eventId } from '../id.ts'
import { createFloor, type Floor } from './floor.ts'

export interface EventsWanted {
  /** Number and UUID of each event: after a failover that lost the newest events, their numbers are reused. */
  readonly taken: readonly { readonly sequence: number; readonly uuid: string }[]
  readonly limit: number
}

export type ReadEvents = (sql: Sql, wanted: EventsWanted) => Promise<{ events: ReadEvent[]; more: boolean }>

export const readEvents: Handler<
  typeof outboxOperations.read_events,
  { readonly sql: Sql; readonly readEvents: ReadEvents }
> = async ({ body }, _caller, { sql, readEvents }) => ({ body: await readEvents(sql, body) })

/** An answer is one message on the bus, whose limit is 1 MiB. */
const maxBytes = 512 * 1024

/**
 * Removes the confirmed events and returns the oldest others that are visible, in the order of their numbers.
 * Concurrent reads get the same events.
 */
export function createEventReader(database: Database, floor: Floor = createFloor()): ReadEvents {
  database.metrics.read('svc_outbox_unread_seconds', {}, () => oldestAge(database.sql, floor.current))
  return async (sql, { taken, limit }) => {
    const uuids = taken.map(({ uuid }) => uuid)
    const { above, record } = floor.begin()
    const found = await sql<Row | NoRow>`/* runtime.read_events */
      with removed as (
        delete from outbox o
        using unnest(${taken.map(({ sequence }) => sequence)}::bigint[], ${uuids}::text[]) as t (sequence, uuid)
        where o.sequence = t.sequence and o.id = t.uuid::uuid
      )
      select o.*, pg_snapshot_xmin(s)::text::bigint as xmin, pg_snapshot_xmax(s)::text::bigint as xmax
      from pg_current_snapshot() as s left join lateral (
        select sequence, id as uuid, aggregate_id, substr(subject, 8) as type, payload::text as data,
          actor::text as actor, request_id, address, changes::text as changes,
          floor(date_part('epoch', created_at) * 1000)::bigint as created_ms
        from outbox
        where sequence > ${above} and id not in (select unnest(${uuids}::text[])::uuid)
        order by sequence
        limit ${limit}
      ) o on true
      order by o.sequence`
    const rows = found.filter((row): row is Row => row.sequence !== null)
    if (found[0]) record({ ...found[0], lowest: rows[0]?.sequence, highest: rows.at(-1)?.sequence })
    const events = fitting(rows)
    return { events, more: events.length < rows.length || rows.length === limit }
  }
}

/** In seconds; 0 if there is none. */
async function oldestAge(sql: Sql, above: number): Promise<number> {
  const [oldest] = await sql<{ age: number }>`/* runtime.oldest_event_age */
    select extract(epoch from now() - created_at)::float8 as age
    from outbox where sequence > ${above} order by sequence limit 1`
  return Math.max(0, oldest?.age ?? 0)
}

interface Snapshot {
  readonly xmin: number
  readonly xmax: number
}
interface Row extends Omit<ReadEvent, 'id'>, Snapshot {}
interface NoRow extends Snapshot {
  readonly sequence: null
}

/**
 * As many events as fit into an answer. An event too large for any answer is returned without its large fields, so
 * that it does not block the others.
 */
function fitting(rows: readonly Row[]): ReadEvent[] {
  const events: ReadEvent[] = []
  let bytes = 0
  for (const { xmin: _, xmax: __, ...row } of rows) {
    const event = smallEnough({ ...row, id: eventId(row.uuid, row.created_ms) })
    bytes += sizeOf(event) + 1
    if (bytes > maxBytes && events.length > 0) break
    events.push(event)
  }
  return events
}

function smallEnough(event: ReadEvent): ReadEvent {
  if (sizeOf(event) <= maxBytes) return event
  const without = { ...event, changes: null }
  return sizeOf(without) <= maxBytes ? without : { ...without, data: '{}', actor: null }
}

const sizeOf = (event: ReadEvent) => Buffer.byteLength(JSON.stringify(event))
