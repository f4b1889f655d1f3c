// An outbox and its reader: each event once, in the order of its aggregate, however late its row is committed.
import { waitUntil } from '@svc/local/wait-until'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import { holdTransaction } from '@svc/testing/hold-transaction'
import { sized } from '@svc/testing/size'
import postgres from 'postgres'
import { TypeID } from 'typeid-js'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase, type Sql } from '../../src/database.ts'
import { migrate } from '../../src/migrate/migrate.ts'
import { createFloor } from '../../src/outbox/floor.ts'
import { createEventReader, type EventsWanted } from '../../src/outbox/read-events.ts'

let server: TestDatabase
let sql: postgres.Sql
let database: Database

beforeAll(async () => {
  server = await createEmptyDatabase()
  const migrations = new URL('../../../../services/compute/migrations', import.meta.url)
  await migrate(server.urls.compute, 'compute', migrations)
  sql = postgres(server.urls.compute, { max: 12, onnotice: () => {} })
  const access = { DATABASE_URL: server.urls.compute, DATABASE_POOL_SIZE: 2, DATABASE_QUEUE_LIMIT: 100 }
  database = openDatabase(access)
})
afterAll(async () => {
  await database.close()
  await sql.end({ timeout: 1 })
  await server.drop()
})
beforeEach(async () => void (await sql`truncate outbox`))

const write = (aggregate: string, n: number, db: postgres.Sql | postgres.TransactionSql = sql) => db`
  insert into outbox (aggregate_id, subject, payload)
  values (${aggregate}, 'events.compute_settings.updated', ${db.json({ n })})`
/** By a reader that knows nothing of before. */
const read = (taken: EventsWanted['taken'] = [], limit = 500) =>
  createEventReader(database)(database.sql, { taken, limit })
const aggregates = (events: readonly { aggregate_id: string }[]) => events.map(each => each.aggregate_id)
const rows = async () => (await sql`select from outbox`).length

test('an event has all that was written; its id is a TypeID of its time, and the same each time it is read', async () => {
  const began = Date.now()
  const data = '{"text": "a \\"b\\" \\\\ ü","n":1.50,"none":null,"list":[{}]}'
  await sql`
    insert into outbox (aggregate_id, subject, payload, actor, request_id, address, changes)
    select 'ws "1"', 'events.compute_settings.updated', ${data}::text::json, '{"kind":"system"}', 'req_"1"', '192.0.2.1',
      '{"name":{"before":"A","after":"B"}}'
    from generate_series(1, 500)`
  const { events } = await read()
  expect((await read()).events).toEqual(events)
  expect(new Set(events.map(({ id }) => id)).size).toBe(500)
  for (const { id, created_ms, sequence, uuid, ...event } of events) {
    const hex = TypeID.fromString(id, 'evt').toUUID().replaceAll('-', '')
    expect(hex).toMatch(/^.{12}7.{3}[89ab]/)
    expect(Number.parseInt(hex.slice(0, 12), 16)).toBe(created_ms)
    expect(created_ms).toBeGreaterThanOrEqual(began - 5)
    expect(created_ms).toBeLessThanOrEqual(Date.now() + 5)
    expect(event).toEqual({
      type: 'compute_settings.updated',
      aggregate_id: 'ws "1"',
      data,
      actor: '{"kind":"system"}',
      request_id: 'req_"1"',
      address: '192.0.2.1',
      changes: '{"name":{"before":"A","after":"B"}}',
    })
  }
})

test.each([
  'events',
  'events.offers',
  'events.offers.*',
  'events.>',
  'rpc.offers.create_offer',
  'events.a.b c',
])('the subject %s cannot be written', async subject => {
  await expect(
    sql`insert into outbox (aggregate_id, subject, payload) values ('a', ${subject}, '{}')`,
  ).rejects.toMatchObject({ code: '23514' })
})

test('a row goes when it was taken', async () => {
  for (const aggregate of ['a', 'b', 'c']) await write(aggregate, 1)
  const { events, more } = await read([], 2)
  expect([aggregates(events), more]).toEqual([['a', 'b'], true])
  expect(aggregates((await read(events.slice(0, 1))).events)).toEqual(['b', 'c'])
  expect(await rows()).toBe(2)
  expect(aggregates((await read(events)).events)).toEqual(['c'])
})

test('events that share a reused number are not taken for each other', async () => {
  await write('lost', 1)
  const { events } = await read()
  await sql`delete from outbox`
  await sql`
    insert into outbox (sequence, aggregate_id, subject, payload) overriding system value
    values (${events[0]?.sequence ?? 0}, 'after', 'events.compute_settings.updated', '{}')`
  expect(aggregates((await read(events)).events)).toEqual(['after'])
})

test('an event that is committed after later ones is read, and a read begins above what can come no more', async () => {
  let passed = 0
  const floor = createFloor(() => passed)
  const reader = createEventReader(database, floor)
  const readOn = async (taken: EventsWanted['taken'] = []) => {
    passed += 1001
    return (await reader(database.sql, { taken, limit: 500 })).events
  }
  const slow = await holdTransaction(sql, async tx => void (await write('slow', 1, tx)))
  await write('fast', 1)
  const fast = await readOn()
  expect(aggregates(fast)).toEqual(['fast'])
  for (let n = 0; n < 7; n++) expect(await readOn(fast)).toEqual([])
  expect(floor.current).toBeLessThan((fast[0]?.sequence ?? 0) - 1)
  await slow.release()
  expect(await rows()).toBe(0)
  // Other tests use the server: their transactions have to end.
  await waitUntil('the floor', async () => {
    await write('next', 1)
    await readOn(await readOn())
    return floor.current >= (fast[0]?.sequence ?? 0)
  })
})

test('numbers that are given again after a failover are read within ten seconds', async () => {
  let passed = 0
  const floor = createFloor(() => passed)
  const look = (found: object) => {
    passed += 1001
    const { above, record } = floor.begin()
    record({ xmin: passed, xmax: passed, lowest: undefined, highest: undefined, ...found })
    return above
  }
  look({ lowest: 7, highest: 900 })
  for (let n = 0; n < 4; n++) look({})
  expect(floor.current).toBe(900)
  const starts = Array.from({ length: 10 }, () => look({}))
  expect(starts.filter(above => above === 0)).toHaveLength(1)
  expect(look({ lowest: 850, highest: 860 })).toBe(900)
  expect(floor.current).toBe(849)
})

test('each event of many writers at once is read once, in order, and nothing is left', async () => {
  const each = sized(15, 100)
  const names = Array.from({ length: 8 }, (_, n) => `agg_${n}`)
  let writing = true
  const got: Record<string, number[]> = {}
  const readAll = async () => {
    const reader = createEventReader(database)
    let taken: EventsWanted['taken'] = []
    let isLast = false
    do {
      // As of before the read: what is committed during it may not be in it.
      isLast = !writing
      const { events } = await reader(database.sql, { taken, limit: 7 })
      for (const { aggregate_id, data } of events)
        got[aggregate_id] = [...(got[aggregate_id] ?? []), JSON.parse(data).n]
      taken = events
    } while (!isLast || taken.length > 0)
  }
  const reading = readAll()
  await Promise.all(
    names.map(async name => {
      for (let n = 1; n <= each; n++)
        await sql.begin(async tx => {
          await write(name, n, tx)
          // Others commit meanwhile.
          await tx`select pg_sleep(${Math.random() * 0.01})`
        })
    }),
  )
  writing = false
  await reading
  expect(await rows()).toBe(0)
  const all = Array.from({ length: each }, (_, n) => n + 1)
  expect(got).toEqual(Object.fromEntries(names.map(name => [name, all])))
})

const many = sized(5_000, 200_000)
test(`a read touches few pages after ${many} events that an old snapshot keeps from being vacuumed`, async () => {
  const snapshot = await sql.reserve()
  onTestFinished(() => snapshot.release())
  await snapshot`begin isolation level repeatable read`
  onTestFinished(async () => void (await snapshot`rollback`))
  await snapshot`select from outbox`
  await sql`
    insert into outbox (aggregate_id, subject, payload)
    select 'agg_' || n, 'events.compute_settings.updated', '{}' from generate_series(1, ${many}) n`
  await sql`delete from outbox`
  for (let n = 0; n < 10; n++) await write('next', n)
  const [next] = await sql`select min(sequence)::int8 as sequence from outbox`
  const floor = Number(next?.sequence) - 1
  let plan: { Plan: Record<string, number> } | undefined
  const explain = async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const [first = '', ...others] = strings
    const texts = [`explain (analyze, buffers, format json) ${first}`, ...others]
    const [row] = await database.sql<{ 'QUERY PLAN': [typeof plan] }>(
      Object.assign(texts, { raw: texts }),
      ...values,
    )
    plan = row?.['QUERY PLAN'][0]
    return []
  }
  const reader = createEventReader(database, { current: floor, begin: () => ({ above: floor, record() {} }) })
  await reader(Object.assign(explain, { json: database.sql.json }) as Sql, { taken: [], limit: 500 })
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': blocks = 0 } = plan?.Plan ?? {}
  expect(hit + blocks).toBeLessThan(80)
  expect(JSON.stringify(plan)).not.toContain('Seq Scan on outbox ')
})
