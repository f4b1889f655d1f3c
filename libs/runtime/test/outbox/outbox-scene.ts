/** A service's outbox on a real database, and relays that publish to where the test says. */
import { waitUntil } from '@svc/local/wait-until'
import { createMetrics } from '@svc/telemetry/metrics'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { openDatabase, type Sql } from '../../src/database.ts'
import { migrate } from '../../src/migrate/migrate.ts'
import type { OutboxEvent } from '../../src/outbox/outbox.ts'
import { type PublishEvent, startRelay } from '../../src/outbox/relay-events.ts'
import type { WorkLoop } from '../../src/work-loop.ts'

let server: TestDatabase
export let sql: postgres.Sql

/** Creates the database of the test file, and empties the outbox before each test. */
export function useOutbox() {
  beforeAll(async () => {
    server = await createEmptyDatabase()
    await migrate(
      server.urls.compute,
      'compute',
      new URL('../../../../services/compute/migrations', import.meta.url),
    )
    sql = postgres(server.urls.compute, { max: 12, onnotice: () => {} })
  })
  afterAll(async () => {
    await sql.end({ timeout: 1 })
    await server.drop()
  })
  beforeEach(async () => {
    await sql`truncate outbox`
    await sql`update outbox_lease set holder = '', until = '-infinity'`
    await sql`
      update outbox_readers set taken =
        int8multirange(int8range(null, coalesce(pg_sequence_last_value('outbox_sequence_seq'::regclass), 0), '[]'))`
  })
}

export function open(): Sql {
  const database = openDatabase({
    DATABASE_URL: server.urls.compute,
    DATABASE_POOL_SIZE: 2,
    DATABASE_QUEUE_LIMIT: 100,
  })
  onTestFinished(() => database.close())
  // Each read has its own deadline.
  return Object.assign(((...args: Parameters<Sql>) => database.sql(...args)) as Sql, {
    json: database.sql.json,
  })
}

/** A relay, and what it logs. */
export function relayTo(
  publish: PublishEvent,
  db: Sql = open(),
  metrics = createMetrics(),
  now = () => performance.now(),
) {
  const kept: string[] = []
  const keep = (level: string) => (_fields: object, message: string) => void kept.push(`${level}: ${message}`)
  const log = { info: keep('info'), warn: keep('warn'), error: keep('error') }
  const relay: WorkLoop = startRelay({ sql: () => db, publish, log: log as never, metrics, now })
  onTestFinished(() => relay.stop())
  return { relay, kept }
}

/** Runs `before` before each statement. */
export const watched = (db: Sql, before: () => void) =>
  Object.assign(
    ((...args: Parameters<Sql>) => {
      before()
      return db(...args)
    }) as Sql,
    { json: db.json },
  )

export const write = (aggregate: string, n: number, db: postgres.Sql | postgres.TransactionSql = sql) => db`
  insert into outbox (aggregate_id, subject, payload)
  values (${aggregate}, 'events.compute_settings.updated', ${db.json({ n })})`

export const numberOf = ({ body }: OutboxEvent): number => JSON.parse(body).data.n
/** How many events the stream has not taken. */
export const left = async () =>
  (
    await sql`select from outbox where not (select taken from outbox_readers where name = 'stream') @> sequence`
  ).length
export const empty = () => waitUntil('nothing that waits for the stream', async () => (await left()) === 0)

/** Stores everything. `stored` has the payloads' numbers by aggregate, in order of arrival. */
export function keeping() {
  const stored: Record<string, number[]> = {}
  const publish: PublishEvent = async event => {
    stored[event.aggregate_id] = [...(stored[event.aggregate_id] ?? []), numberOf(event)]
    return 'stored'
  }
  return { stored, publish }
}
