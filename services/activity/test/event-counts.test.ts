// How many events there were on each day: every event counts once, and a million of them cost no more than one.
import { openPool } from '@svc/testing/open-pool'
import { activity } from '@svc/contract/activity/activity'
import type { ReadEvent } from '@svc/contract/core/reading-events'
import type { Database, Sql } from '@svc/runtime/database'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import { sized } from '@svc/testing/size'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Deps } from '../src/deps.ts'
import { countEvents } from '../src/events/count-events.ts'
import { keepBatch } from '../src/keeping/keep-batch.ts'
import { ensurePartitions } from '../src/keeping/partitions.ts'
import { purgeEventCounts } from '../src/keeping/purge-event-counts.ts'
import { newEvent } from './new-event.ts'

const day = 86_400_000
const silent = { error() {} }

let server: TestDatabase
let database: Database
let admin: postgres.Sql

beforeAll(async () => {
  server = await createTestDatabase()
  database = openPool(server.urls.activity)
  admin = postgres(server.adminUrl, { max: 2, onnotice: () => {}, connection: { search_path: 'activity' } })
  await ensurePartitions(
    () => database.sql,
    Array.from({ length: 5 }, (_, months) => Date.now() - months * 30 * day),
  )
})
afterAll(async () => {
  await database.close()
  await admin.end()
  await server.drop()
})
beforeEach(async () => {
  await admin`truncate events, event_counts, members`
})

const keep = (events: readonly ReadEvent[]) => keepBatch(() => database.sql, events, silent)

interface Asked {
  readonly workspace?: string
  readonly days?: string
  readonly now?: number
  readonly sql?: Sql
}

async function counts(types: string, { workspace = 'ws_1', days, now = Date.now(), sql }: Asked = {}) {
  const query = activity.operations.count_events.query.parse({ types, ...(days && { days }) })
  const input = { query, params: undefined, headers: undefined, body: undefined }
  const deps = { sql: sql ?? database.sql, now: () => now } as unknown as Deps
  const { body } = await countEvents(input, { kind: 'internal', id: 'test', workspace }, deps)
  return body.data
}
const today = async (types: string, workspace?: string) =>
  (await counts(types, workspace === undefined ? {} : { workspace })).at(-1)?.counts

test('there is an item for each of 30 days, with zeros for every type that was asked for', async () => {
  const now = Date.UTC(2026, 2, 2, 23, 59, 59)
  const data = await counts('offers.created,nothing.known', { now })
  expect(data).toHaveLength(30)
  expect([data[0]?.date, data.at(-1)?.date]).toEqual(['2026-02-01', '2026-03-02'])
  const zeros = { 'offers.created': 0, 'nothing.known': 0 }
  expect(data.map(each => each.counts)).toEqual(Array(30).fill(zeros))
})

test('a day begins and ends at midnight in UTC, whatever the time zone of a connection', async () => {
  const midnight = Math.floor(Date.now() / day) * day
  await admin.unsafe(`alter role ${new URL(server.urls.activity).username} set timezone = 'Pacific/Auckland'`)
  const elsewhere = openPool(server.urls.activity, 1, 10)
  try {
    const times = [midnight - day - 1, midnight - day, midnight - 1, midnight, midnight + 1]
    await keepBatch(
      () => elsewhere.sql,
      times.map(created_ms => newEvent({ created_ms })),
      silent,
    )
    const data = await counts('offers.created', { days: '3', now: midnight + 2, sql: elsewhere.sql })
    expect(data.map(each => each.counts['offers.created'])).toEqual([1, 2, 2])
  } finally {
    await elsewhere.close()
    await admin.unsafe(`alter role ${new URL(server.urls.activity).username} reset timezone`)
  }
})

test('an event that is read again, by several readers at once, counts once', async () => {
  const events = Array.from({ length: 60 }, (_, n) => newEvent(n % 3 === 0 ? { type: 'orders.created' } : {}))
  await Promise.all(Array.from({ length: sized(6, 30) }, () => keep(events)))
  await keep(events)
  expect(await today('offers.created,orders.created')).toEqual({ 'offers.created': 40, 'orders.created': 20 })
})

test('each workspace counts its own; an order counts on both sides', async () => {
  const order = newEvent({
    type: 'orders.created',
    data: '{"workspace_id":"ws_1","customer_workspace_id":"ws_2"}',
  })
  await keep([newEvent(), newEvent(), newEvent({ data: '{"workspace_id":"ws_2"}' }), order])
  const types = 'offers.created,orders.created'
  expect(await today(types)).toEqual({ 'offers.created': 2, 'orders.created': 1 })
  expect(await today(types, 'ws_2')).toEqual({ 'offers.created': 1, 'orders.created': 1 })
  expect(await today(types, 'ws_3')).toEqual({ 'offers.created': 0, 'orders.created': 0 })
})

test('what is for the audit log alone is never counted', async () => {
  const data = '{"workspace_id":"ws_1","user_id":"user_1"}'
  await keep([
    newEvent({ type: 'members.added', data }),
    newEvent({ type: 'api_tokens.refused' }),
    newEvent({ type: 'api_tokens.created' }),
  ])
  await keep([newEvent({ type: 'sign_ins.succeeded', data })])
  const [kept] =
    await admin`select count(*)::int as audited from events where workspace_id = 'ws_1' and audit_only`
  expect(kept?.audited).toBe(2)
  expect(await today('sign_ins.succeeded,api_tokens.refused,api_tokens.created')).toEqual({
    'sign_ins.succeeded': 0,
    'api_tokens.refused': 0,
    'api_tokens.created': 1,
  })
})

test('counting a workspace with many events reads one row of an index for each day and type, and nothing else', async () => {
  const types = ['offers.created', 'offers.revoked', 'orders.created', 'orders.completed', 'installs.created']
  const most = sized(1000, 1_000_000)
  await admin`
    insert into event_counts (workspace_id, type, day, count)
    select w, t, current_date - d, ${most}
    from unnest(array['ws_0', 'ws_1', 'ws_2']) w, unnest(${[...types, 'packages.created']}::text[]) t, generate_series(0, 399) d`
  await admin`
    insert into events (position, workspace_id, id, type, aggregate_id, sequence, created_at, data, audit_only)
    select n, 'ws_1', 'evt_' || n, 'offers.created', 'offer_1', n, now(), '{}', false from generate_series(1, ${most}::int) n`
  await admin`vacuum (analyze) events, event_counts`
  const plans: { Plan: Node }[] = []
  await counts(types.join(), { days: '90', sql: explaining(plans) })
  const nodes = plans.flatMap(({ Plan }) => flat(Plan))
  const scans = nodes.filter(node => node['Relation Name'])
  expect(scans).toMatchObject([
    { 'Node Type': 'Index Scan', 'Index Name': 'event_counts_pkey', 'Actual Loops': types.length * 90 },
  ])
  for (const node of nodes) {
    expect(node['Actual Rows']).toBeLessThanOrEqual(types.length * 90)
    expect(node['Rows Removed by Filter'] ?? 0).toBe(0)
  }
  const data = await counts(types.join(), { days: '90' })
  expect(new Set(data.flatMap(each => Object.values(each.counts)))).toEqual(new Set([most]))
})

test('counts go once nobody can ask for their day any more', async () => {
  const types = 'offers.created'
  await keep([0, 89, 95].map(days => newEvent({ created_ms: Date.now() - days * day })))
  expect(await purgeEventCounts(database.sql, Date.now())).toBe(false)
  expect(await admin`select count(*)::int as rows from event_counts`).toMatchObject([{ rows: 2 }])
  const data = await counts(types, { days: '90' })
  expect([data[0]?.counts[types], data.at(-1)?.counts[types]]).toEqual([1, 1])
})

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}
const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]

/** Executes a statement, and puts its plan into `plans` instead of answering with its rows. */
function explaining(plans: { Plan: Node }[]): Sql {
  return (async (strings: TemplateStringsArray, ...values: never[]) => {
    const texts = [`explain (analyze, format json) ${strings[0]}`, ...strings.slice(1)]
    const explained = Object.assign(texts, { raw: texts }) as unknown as TemplateStringsArray
    const [row] = await database.sql<{ 'QUERY PLAN': { Plan: Node }[] }>(explained, ...values)
    plans.push(...(row?.['QUERY PLAN'] ?? []))
    return []
  }) as unknown as Sql
}
