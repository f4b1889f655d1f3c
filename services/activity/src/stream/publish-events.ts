/** Publishes stored events to the stream in the order of positions: each event at least once. */
import type { Bus } from '@svc/bus/connection'
import type { EventStream, StreamEvent } from '@svc/bus/events/events'
import { awaitNotices } from '@svc/bus/notices'
import { bySystem } from '@svc/contract/core/actor'
import { eventsKept } from '@svc/contract/notices'
import type { Sql } from '@svc/runtime/database'
import type { Log } from '@svc/runtime/log'
import { startWorkLoop } from '@svc/runtime/work-loop'
import type { Metrics } from '@svc/telemetry/metrics'
import { cursorAt, type EventRow, eventColumns } from '../events/read-events.ts'
import { createLease } from '../keeping/sources.ts'

export interface PublishingOptions {
  readonly bus: Bus
  readonly stream: EventStream
  readonly sql: () => Sql
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly metrics?: Metrics
}

const batchSize = 500

/** One replica publishes for all, woken when events are stored and once a second. */
export function startPublishing({ bus, stream, sql, log, metrics }: PublishingOptions) {
  const lease = createLease(sql, 'stream')
  const published = metrics?.counter('svc_events_published_total', {})
  published?.(0)
  metrics?.read('svc_events_unpublished_seconds', {}, () => oldestAge(sql()))
  const loop = startWorkLoop({
    name: 'publish_events',
    work: async () => (await lease.hold()) && publishSome(),
    everyMs: 1000,
    log,
    metrics,
  })
  const deafen = awaitNotices(bus, eventsKept, log, loop.wake)
  return {
    wake: loop.wake,
    async stop() {
      deafen()
      await loop.stop()
      await lease.leave()
    },
  }

  /**
   * The position moves when the stream has the events; duplicates have the same id. @returns whether there may be
   * more
   */
  async function publishSome(): Promise<boolean> {
    const events = await listUnpublished(sql())
    if (events.length === 0) return false
    const outcomes = await stream.publish(events.map(messageOf))
    outcomes.forEach((outcome, at) => {
      const { id: event_id, position, type } = events[at] as EventRow
      if (outcome === 'refused')
        log.error({ event_id, position, type }, 'event refused by the stream, skipped')
    })
    const reached = events[outcomes.length - 1]?.position ?? 0
    await sql()`/* activity.move_stream_position */
      update stream_position set position = ${reached} where only_row and position < ${reached}`
    published?.(outcomes.filter(outcome => outcome === 'stored').length)
    return outcomes.length < events.length || events.length === batchSize
  }
}

/** An event of several workspaces has several rows: that of the actor's workspace has the actor. */
const listUnpublished = (sql: Sql) => sql<EventRow>`/* activity.list_unpublished_events */
  select e.*
  from stream_position s, lateral (
    select distinct on (position) ${eventColumns}
    from events where position > s.position
    order by position, actor_id nulls last, request_id nulls last
    limit ${batchSize}
  ) e
  where s.only_row
  order by e.position`

/** In seconds; 0 if everything is published. */
async function oldestAge(sql: Sql): Promise<number> {
  const [oldest] = await sql<{ age: number }>`/* activity.oldest_unpublished_event */
    select extract(epoch from now() - e.created_at)::float8 as age
    from stream_position s, lateral (
      select created_at from events where position > s.position order by position limit 1
    ) e
    where s.only_row`
  return Math.max(0, oldest?.age ?? 0)
}

const unknownActor = bySystem('unknown').actor

/** In the format of `eventMessage`. Concatenated as text, since the data are text already. */
function messageOf({ position, id, type, created_at, ...row }: EventRow): StreamEvent {
  const body =
    `{"id":"${id}","type":"${type}","aggregate_id":${JSON.stringify(row.aggregate_id)},` +
    `"sequence":${row.sequence},"created_at":${created_at},"actor":${row.actor ?? unknownActor},` +
    `"request_id":${JSON.stringify(row.request_id)},"changes":${row.changes},"data":${row.data}}`
  return { id, subject: `events.${type}`, body, cursor: cursorAt(position) }
}
