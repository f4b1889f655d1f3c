/** The outbox: events that were written together with the changes they tell, and how the relay takes them. */
import { type Attribution, bySystem } from '@svc/contract/core/actor'
import type { Sql } from '../database.ts'
import { eventId } from '../id.ts'
import { type Fragment, fragment } from '../sql-fragment.ts'
import { gapsOf, noteTaken, type OutboxKey } from './outbox-readers.ts'

/** Its sequence is greater than that of any earlier event of the same aggregate. */
export interface OutboxEvent extends OutboxKey {
  readonly id: string
  readonly aggregate_id: string
  readonly subject: string
  /** The message, as JSON: `eventMessage` of the contract. */
  readonly body: string
}

/**
 * Where the statement that makes a change writes the event of it, so that there are both or neither. What is to follow, as of a
 * `select`: `<aggregate_id>, <subject>, <payload as json> from …`.
 *
 * @param changes JSON, or null: as `changes` of `eventMessage`
 */
export const intoOutbox = (by: Attribution, changes: Fragment = none): Fragment => fragment`
  insert into outbox (actor, request_id, address, changes, aggregate_id, subject, payload)
  select ${byColumns(by)}, ${changes},`

const none = fragment`null::json`

/** For {@link intoOutbox}: from the column `previous`, which has `fields` as they were; null: nothing is known of it. */
export const changesOf = (fields: Fragment): Fragment => fragment`changes_of(previous, ${fields})`

/**
 * The same where each row has its own: `by` has {@link Attribution} as JSON, with `actor` as text.
 */
export const manyIntoOutbox = (by: Fragment, changes: Fragment = none): Fragment => fragment`
  insert into outbox (actor, request_id, address, changes, aggregate_id, subject, payload)
  select (${by} ->> 'actor')::json, ${by} ->> 'request_id', ${by} ->> 'address', ${changes},`

/** For the columns `actor`, `request_id` and `address`, and for functions that take them. */
export const byColumns = ({ actor, request_id, address }: Attribution): Fragment =>
  fragment`${actor}::text::json, ${request_id}::text, ${address}::text`

/** For functions that take `by`, as `write_event` does. */
export const byJson = ({ actor, request_id, address }: Attribution): Fragment =>
  fragment`${`{"actor":${actor},"request_id":${JSON.stringify(request_id)},"address":${JSON.stringify(address)}}`}::text::json`

/** How many events are taken at once at most. */
export const batchSize = 500
/** How long a relay's lease lasts after its last renewal. */
export const leaseSeconds = 5
/** How long an event that the stream refused waits for another attempt. */
const heldSeconds = 60

/** `busy`: another relay publishes, and nothing was looked for. */
export interface Taken {
  readonly busy: boolean
  readonly leased: boolean
  readonly events: readonly OutboxEvent[]
  /** How many ranges of numbers were not taken: one, unless some are still to come or were lost. */
  readonly gaps: number
}

/**
 * Notes that the events `done` are in the stream, and takes the oldest others: in the order of each aggregate, for as long as `leased`
 * says that no other relay publishes. If nothing waits, the lease is released.
 *
 * @param holder names this relay, and no other one ever
 */
export async function takeEvents(
  sql: Sql,
  { holder, done }: { holder: string; done: readonly OutboxKey[] },
): Promise<Taken> {
  // Times are those of the database: replicas agree on no other clock.
  const rows = await sql<Row | NoRow>`/* runtime.take_events */
    with ${noteTaken('stream', done)}, gaps as materialized (
      ${gapsOf('stream', fragment`(select ranges from done_ranges)`)}
    ), relay as materialized (
      select holder <> ${holder} and until > now() as busy from outbox_lease where name = 'relay'
    ), waiting as materialized (
      select o.*
      from gaps, lateral (
        select ${eventColumns} from outbox
        where sequence between low and high
          and aggregate_id not in (select aggregate_id from outbox where held_until > now())
        order by sequence
        limit (select case when busy then 0 else ${batchSize}::int end from relay)
      ) o
      order by o.sequence
      limit ${batchSize}::int
    ), leased as (
      update outbox_lease set holder = ${holder},
        until = now() + make_interval(secs => case when exists (select from waiting) then ${leaseSeconds}::int else 0 end)
      where name = 'relay' and case
        when holder = ${holder} then exists (select from waiting) or until > now()
        else exists (select from waiting) and until <= now()
      end
      returning true as leased
    )
    select r.busy, coalesce(l.leased, false) as leased, (select count(*) from gaps) as gaps, w.*
    from relay r left join leased l on true left join waiting w on true
    order by w.sequence`
  const [first] = rows
  return {
    busy: first?.busy ?? false,
    leased: first?.leased ?? false,
    events: first?.sequence ? (rows as Row[]).map(eventOf) : [],
    gaps: first?.gaps ?? 1,
  }
}

/** The columns of an outbox row that {@link eventOf} needs. */
const eventColumns = fragment`
  sequence, id, aggregate_id, subject, payload::text as payload, actor::text as actor, request_id, changes::text as changes,
  floor(date_part('epoch', created_at) * 1000)::bigint as created_ms`

interface NoRow {
  readonly busy: boolean
  readonly leased: boolean
  readonly gaps: number
  readonly sequence: null
}

interface Row {
  readonly busy: boolean
  readonly leased: boolean
  readonly gaps: number
  readonly sequence: number
  readonly id: string
  readonly aggregate_id: string
  readonly subject: string
  readonly payload: string
  /** Null: of a release that did not write it. */
  readonly actor: string | null
  readonly request_id: string | null
  readonly changes: string | null
  readonly created_ms: number
}

const unknownActor = bySystem('unknown').actor

function eventOf(row: Row): OutboxEvent {
  const { sequence, id: uuid, aggregate_id, subject, payload, created_ms } = row
  const id = eventId(uuid, created_ms)
  const type = subject.slice('events.'.length)
  const created_at = Math.floor(created_ms / 1000)
  // Put together as text, since the data are text already.
  const body =
    `{"id":"${id}","type":"${type}","aggregate_id":${JSON.stringify(aggregate_id)},` +
    `"sequence":${sequence},"created_at":${created_at},"actor":${row.actor ?? unknownActor},` +
    `"request_id":${JSON.stringify(row.request_id)},"changes":${row.changes},"data":${payload}}`
  return { sequence, uuid, id, aggregate_id, subject, body }
}

/** Notes that the events `done` are in the stream, postpones those that were `refused`, and releases the lease. */
export const leaveEvents = (
  sql: Sql,
  { holder, done, refused }: { holder: string; done: readonly OutboxKey[]; refused: readonly number[] },
) => sql`/* runtime.leave_events */
  with ${noteTaken('stream', done)}, held as (
    update outbox set held_until = now() + make_interval(secs => ${heldSeconds})
    where sequence = any (${refused}::bigint[])
  )
  update outbox_lease set until = now() where name = 'relay' and holder = ${holder} and until > now()`
