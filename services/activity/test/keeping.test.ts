// Each event is kept once, in the order of its aggregate, whatever is read again, at once, or cannot be kept as it is.
import { openPool } from '@svc/testing/open-pool'
import type { CallBus } from '@svc/bus/call'
import type { Bus } from '@svc/bus/connection'
import type { ReadEvent } from '@svc/contract/core/reading-events'
import { waitUntil } from '@svc/local/wait-until'
import type { Database } from '@svc/runtime/database'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import { sized } from '@svc/testing/size'
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { keepBatch } from '../src/keeping/keep-batch.ts'
import { ensurePartitions, maintainPartitions } from '../src/keeping/partitions.ts'
import { startReaders } from '../src/keeping/read-outboxes.ts'
import { newEvent } from './new-event.ts'

const day = 86_400_000
const silent = { info() {}, warn() {}, error() {}, debug() {} }

let server: TestDatabase
let database: Database
let admin: postgres.Sql
const sql = () => database.sql

beforeAll(async () => {
  server = await createTestDatabase()
  database = openPool(server.urls.activity)
  admin = postgres(server.adminUrl, { max: 2, onnotice: () => {}, connection: { search_path: 'activity' } })
})
afterAll(async () => {
  await database.close()
  await admin.end()
  await server.drop()
})
beforeEach(async () => {
  await admin`truncate events, members`
  await ensurePartitions(sql, [Date.now()])
})

const keep = (events: readonly ReadEvent[]) => keepBatch(sql, events, silent)
const keptIn = async (workspace: string) =>
  (await admin`select id from events where workspace_id = ${workspace} order by position`).map(({ id }) => id)
const idsOf = (events: readonly ReadEvent[]) => events.map(({ id }) => id)

test('events that several readers keep at once are each kept once, in order', async () => {
  const events = Array.from({ length: 50 }, () => newEvent())
  const upTo = () => events.slice(0, 1 + Math.floor(Math.random() * events.length))
  const counts = await Promise.all([...Array.from({ length: sized(8, 40) }, upTo), events].map(keep))
  expect(counts.reduce((sum, count) => sum + count)).toBe(events.length)
  expect(await keptIn('ws_1')).toEqual(idsOf(events))
  expect(await keep(events)).toBe(0)
})

test.each([
  ['data with U+0000', { data: '{"workspace_id":"ws_1","note":"\\u0000"}' }],
  ['half a pair in the name of its actor', { actor: '{"kind":"user","id":"user_1","name":"\\ud800"}' }],
  ['an actor too long for an index', { actor: JSON.stringify({ id: randomBytes(6000).toString('hex') }) }],
  ['an aggregate too long for an index', { aggregate_id: randomBytes(6000).toString('hex') }],
])('an event with %s is kept without it, and holds up no other', async (_what, poison) => {
  const events = [newEvent(), newEvent(poison), newEvent()]
  expect(await keep(events)).toBe(3)
  expect(await keptIn('ws_1')).toEqual(idsOf(events))
  expect(await keep(events)).toBe(0)
})

test('an event that waited for 500 days is kept, and leaves with its month', async () => {
  const created_ms = Date.now() - 500 * day
  const old = newEvent({ created_ms })
  await ensurePartitions(sql, [created_ms])
  await keep([old, newEvent()])
  expect(await keptIn('ws_1')).toHaveLength(2)
  const months = async () =>
    (
      await admin`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass`
    ).map(({ name }) => name)
  const month = `events_${new Date(created_ms).toISOString().slice(0, 7).replace('-', '')}`
  await maintainPartitions(sql, Date.now(), 600)
  expect(await months()).toContain(month)
  await maintainPartitions(sql, Date.now(), 400)
  expect(await months()).not.toContain(month)
  expect(await keptIn('ws_1')).toHaveLength(1)
})

test('what a person does is known where they are a member at that time, also when it is read again', async () => {
  const membership = (type: string, workspace_id: string) =>
    newEvent({
      type,
      aggregate_id: `${workspace_id}/user_1`,
      data: JSON.stringify({ workspace_id, user_id: 'user_1', role: 'member' }),
    })
  const signIn = () =>
    newEvent({ type: 'sign_ins.succeeded', aggregate_id: 'user_1', data: '{"user_id":"user_1"}' })
  const verified = newEvent({ type: 'users.verified', aggregate_id: 'user_1', data: '{"user_id":"user_1"}' })
  const before = signIn()
  const added = membership('members.added', 'ws_1')
  const [during, late] = [signIn(), signIn()]
  const changed = membership('members.updated', 'ws_1')
  const elsewhere = membership('members.added', 'ws_2')
  const both = signIn()
  const removed = membership('members.removed', 'ws_1')
  const after = signIn()
  const batch = [before, added, during, changed, elsewhere, both, removed, after]
  for (let times = 0; times < 2; times++) {
    await keep([verified, ...batch])
    // Its row was visible later than those of greater numbers.
    await keep([late])
    expect(await keptIn('ws_1')).toEqual(idsOf([added, during, changed, both, removed, late]))
    expect(await keptIn('ws_2')).toEqual(idsOf([elsewhere, both, after]))
    expect((await keptIn('')).toSorted()).toEqual(
      idsOf([verified, before, during, both, after, late]).toSorted(),
    )
  }
})

test('a batch that is too much for one statement is kept in smaller ones', async () => {
  await admin`
    create function refuse_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from kept) > 300 then raise exception 'too slow' using errcode = '57014'; end if;
      return null;
    end $$`
  await admin`
    create trigger refuse_many after insert on events referencing new table as kept
    for each statement execute function refuse_many()`
  onTestFinished(async () => {
    await admin`drop function refuse_many() cascade`
  })
  let outbox = Array.from({ length: 700 }, () => newEvent())
  const all = idsOf(outbox)
  const answer = (value: object) => ({
    status: 200,
    body: Buffer.from(JSON.stringify(value)),
    header: () => '',
  })
  const call: CallBus = async ({ subject, body }) => {
    if (!subject.startsWith('rpc.offers.')) return answer({ events: [], more: false })
    const { taken, limit } = JSON.parse(Buffer.from(body).toString())
    const gone = new Set(taken.map(({ uuid }: ReadEvent) => uuid))
    outbox = outbox.filter(({ uuid }) => !gone.has(uuid))
    return answer({ events: outbox.slice(0, limit), more: outbox.length > limit })
  }
  const bus = { nc: { subscribe: () => ({ unsubscribe() {} }) }, onChange() {} } as unknown as Bus
  const readers = startReaders({
    bus,
    call,
    readOwn: async () => ({ events: [], more: false }),
    sql,
    log: silent as never,
  })
  onTestFinished(() => readers.stop())
  await waitUntil('the events', async () => outbox.length === 0)
  expect(await keptIn('ws_1')).toEqual(all)
})
