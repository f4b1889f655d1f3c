/** What the service `activity` reads of an outbox: each event until it says that it has it. */
import type { Handler } from '@svc/contract/core/operation'
import type { outboxOperations, ReadEvent } from '@svc/contract/core/reading-events'
import type { Database, Sql } from '../database.ts'
import { eventId } from '../id.ts'
import { createCompaction } from './compact-taken.ts'
import { gapsOf, leaveTaken, oldestAge, type OutboxKey } from './outbox-readers.ts'

export interface EventsWanted {
  readonly taken: readonly OutboxKey[]
  readonly limit: number
}

/** For the deps of a service with an outbox. */
export type ReadEvents = (sql: Sql, wanted: EventsWanted) => Promise<{ events: ReadEvent[]; more: boolean }>

const readEvents: Handler<
  typeof outboxOperations.read_events,
  { readonly sql: Sql; readonly readEvents: ReadEvents }
> = async ({ body }, _caller, { sql, readEvents }) => ({ body: await readEvents(sql, body) })

export const outboxHandlers = { read_events: readEvents }

/** An answer is one message of the bus, whose limit is 1 MiB. */
const mostBytes = 512 * 1024

/**
 * Notes what is taken, and returns the oldest others: those that are visible now, in the order of their numbers. Two who read at
 * once get the same.
 */
export function createEventReader(database: Database): ReadEvents {
  const compaction = createCompaction('activity')
  database.metrics.read('svc_outbox_unread_seconds', {}, () => oldestAge(database.sql, 'activity'))
  return async (sql, { taken, limit }) => {
    if (taken.length > 0) await leaveTaken(sql, 'activity', taken)
    const rows = await sql<Row>`/* runtime.read_events */
      with gaps as materialized (${gapsOf('activity')})
      select o.*, (select count(*) from gaps) as gaps
      from gaps, lateral (
        select sequence, id as uuid, aggregate_id, substr(subject, 8) as type, payload::text as data,
          actor::text as actor, request_id, address, changes::text as changes,
          floor(date_part('epoch', created_at) * 1000)::bigint as created_ms
        from outbox
        where sequence between low and high
        order by sequence
        limit ${limit}
      ) o
      order by o.sequence
      limit ${limit}`
    if ((rows[0]?.gaps ?? 1) > 1) await compaction.close(sql)
    const events = fitting(rows)
    return { events, more: events.length < rows.length || rows.length === limit }
  }
}

type Row = Omit<ReadEvent, 'id'> & { readonly gaps: number }

/** As many as fit into an answer. One that fits into none is given without what makes it large: it must not hold up all others. */
function fitting(rows: readonly Row[]): ReadEvent[] {
  const events: ReadEvent[] = []
  let bytes = 0
  for (const { gaps: _, ...row } of rows) {
    const event = smallEnough({ ...row, id: eventId(row.uuid, row.created_ms) })
    bytes += sizeOf(event) + 1
    if (bytes > mostBytes && events.length > 0) break
    events.push(event)
  }
  return events
}

function smallEnough(event: ReadEvent): ReadEvent {
  if (sizeOf(event) <= mostBytes) return event
  const without = { ...event, changes: null }
  return sizeOf(without) <= mostBytes ? without : { ...without, data: '{}', actor: null }
}

const sizeOf = (event: ReadEvent) => Buffer.byteLength(JSON.stringify(event))
