// The outbox and its relays on a real database; where events go to is the test's own.
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@svc/local/wait-until'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { TypeID } from 'typeid-js'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase, type Sql } from '../src/database.ts'
import { migrate } from '../src/migrate.ts'
import { type OutboxEvent, takeEvents } from '../src/outbox.ts'
import { type PublishEvent, type Relay, startRelay } from '../src/relay-events.ts'

let server: TestDatabase
let sql: postgres.Sql

beforeAll(async () => {
  server = await createTestDatabase()
  await migrate(
    server.urls.compute,
    'compute',
    new URL('../../../services/compute/migrations', import.meta.url),
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
})

function open(): Sql {
  const database = openDatabase({
    DATABASE_URL: server.urls.compute,
    DATABASE_POOL_SIZE: 2,
    DATABASE_QUEUE_LIMIT: 100,
  })
  onTestFinished(() => database.close())
  // Each look has a deadline of its own.
  return Object.assign(((...args: Parameters<Sql>) => database.sql(...args)) as Sql, {
    json: database.sql.json,
  })
}

/** A relay; `published` has the payloads' numbers by aggregate, in the order in which they were stored. */
function relayTo(publish: PublishEvent, db: Sql = open()) {
  const kept: string[] = []
  const keep = (level: string) => (_fields: object, message: string) => void kept.push(`${level}: ${message}`)
  const log = { info: keep('info'), warn: keep('warn'), error: keep('error') }
  const relay: Relay = startRelay({ sql: () => db, publish, log: log as never })
  onTestFinished(() => relay.stop())
  return { relay, kept }
}

const write = (aggregate: string, n: number, db: postgres.Sql | postgres.TransactionSql = sql) => db`
  insert into outbox (aggregate_id, subject, payload)
  values (${aggregate}, 'events.compute_settings.updated', ${db.json({ n })})`

const numberOf = ({ body }: OutboxEvent): number => JSON.parse(body).data.n
const left = async () => (await sql`select from outbox`).length
const empty = () => waitUntil('an empty outbox', async () => (await left()) === 0)

/** Stores everything, and keeps what it got. */
function keeping() {
  const stored: Record<string, number[]> = {}
  const publish: PublishEvent = async event => {
    stored[event.aggregate_id] = [...(stored[event.aggregate_id] ?? []), numberOf(event)]
    return 'stored'
  }
  return { stored, publish }
}

test('events have ids that are TypeIDs of their time', async () => {
  const began = Date.now()
  await sql`
    insert into outbox (aggregate_id, subject, payload)
    select 'a', 'events.compute_settings.updated', '{}' from generate_series(1, 1000)`
  const ids = (await sql`select id from outbox`).map(({ id }) => String(id))
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) {
    const hex = TypeID.fromString(id, 'evt').toUUID().replaceAll('-', '')
    expect(hex).toMatch(/^.{12}7.{3}[89ab]/)
    const at = Number.parseInt(hex.slice(0, 12), 16)
    expect(at).toBeGreaterThanOrEqual(began - 5)
    expect(at).toBeLessThanOrEqual(Date.now() + 5)
  }
})

test.each(['events', 'events.offers', 'events.offers.*', 'events.>', 'rpc.offers.create', 'events.a.b c'])(
  'the subject %s cannot be written',
  async subject => {
    await expect(
      sql`insert into outbox (aggregate_id, subject, payload) values ('a', ${subject}, '{}')`,
    ).rejects.toMatchObject({ code: '23514' })
  },
)

test('what is written is published at once when woken, and within a second when not', async () => {
  const { stored, publish } = keeping()
  const { relay } = relayTo(publish)
  await write('a', 1)
  const began = Date.now()
  relay.wake()
  await waitUntil('the first', () => stored.a?.length === 1, { everyMs: 5 })
  expect(Date.now() - began).toBeLessThan(300)
  await write('a', 2)
  await waitUntil('the second', () => stored.a?.length === 2, { timeoutMs: 1500 })
  await empty()
  expect(stored).toEqual({ a: [1, 2] })
})

test('within an aggregate one waits for the other; aggregates do not wait for each other', async () => {
  for (const n of [1, 2]) for (const aggregate of ['a', 'b']) await write(aggregate, n)
  const begun: string[] = []
  let open = () => {}
  const opened = new Promise<void>(resolve => (open = resolve))
  const { relay } = relayTo(async event => {
    begun.push(`${event.aggregate_id}${numberOf(event)}`)
    if (event.aggregate_id === 'a' && numberOf(event) === 1) await opened
    return 'stored'
  })
  relay.wake()
  await waitUntil('the other aggregate', () => begun.includes('b2'))
  expect(begun).not.toContain('a2')
  open()
  await empty()
  expect(begun.sort()).toEqual(['a1', 'a2', 'b1', 'b2'])
})

test('three relays and many writers: one relay at a time, each event once, in order', async () => {
  const { stored, publish } = keeping()
  const active = new Map<number, number>()
  const together = new Set<string>()
  const relays = [0, 1, 2].map(
    which =>
      relayTo(async event => {
        active.set(which, (active.get(which) ?? 0) + 1)
        together.add([...active.keys()].join())
        await delay(1)
        const answer = await publish(event)
        active.set(which, (active.get(which) ?? 0) - 1)
        if (active.get(which) === 0) active.delete(which)
        return answer
      }).relay,
  )
  const aggregates = Array.from({ length: 10 }, (_, n) => `agg_${n}`)
  await Promise.all(
    aggregates.map(async (aggregate, at) => {
      for (let n = 1; n <= 60; n++) {
        await write(aggregate, n)
        relays[(at + n) % 3]?.wake()
      }
    }),
  )
  await empty()
  const all = Array.from({ length: 60 }, (_, n) => n + 1)
  expect(stored).toEqual(Object.fromEntries(aggregates.map(aggregate => [aggregate, all])))
  expect([...together].filter(which => which.includes(','))).toEqual([])
})

test('an event whose statement is committed after later ones is published all the same', async () => {
  const { stored, publish } = keeping()
  let commit = () => {}
  const mayCommit = new Promise<void>(resolve => (commit = resolve))
  let written = () => {}
  const isWritten = new Promise<void>(resolve => (written = resolve))
  const slow = sql.begin(async tx => {
    await write('slow', 1, tx)
    written()
    await mayCommit
  })
  await isWritten
  const { relay } = relayTo(publish)
  await write('fast', 1)
  relay.wake()
  await waitUntil('the fast one', () => stored.fast?.length === 1)
  commit()
  await slow
  await empty()
  expect(stored).toEqual({ fast: [1], slow: [1] })
})

test('what fails is tried again before what follows it; that is told once, and its end too', async () => {
  for (const n of [1, 2, 3]) await write('a', n)
  const tried: number[] = []
  let failing = true
  const { relay, kept } = relayTo(async event => {
    tried.push(numberOf(event))
    if (failing && numberOf(event) === 2) throw new Error('no acknowledgement')
    return 'stored'
  })
  relay.wake()
  await waitUntil('three attempts', () => tried.filter(n => n === 2).length === 3, { timeoutMs: 5000 })
  failing = false
  await empty()
  expect(tried).toEqual([1, 2, 2, 2, 2, 3])
  expect(kept).toEqual([
    'warn: events wait: they cannot be published now',
    'info: events are published again',
  ])
})

test('while nothing can be published, wakes cost nothing', async () => {
  let tries = 0
  const { relay } = relayTo(async () => {
    tries++
    throw new Error('JetStream is gone')
  })
  await write('a', 1)
  const began = Date.now()
  await waitUntil(
    'a second',
    () => {
      relay.wake()
      return Date.now() - began > 1200
    },
    { everyMs: 1 },
  )
  expect(tries).toBeGreaterThanOrEqual(1)
  expect(tries).toBeLessThanOrEqual(4)
})

test('a refused event holds up its own aggregate alone, however many there are, and is tried again', async () => {
  const { stored, publish } = keeping()
  // More than are taken at once.
  for (let n = 0; n < 300; n++) await write(`poisoned_${n}`, 0)
  await write('poisoned_0', 1)
  await write('sound', 1)
  let refusing = true
  const { relay, kept } = relayTo(event =>
    refusing && numberOf(event) === 0 ? Promise.resolve('refused') : publish(event),
  )
  relay.wake()
  await waitUntil('the sound one', () => stored.sound?.length === 1)
  await waitUntil('all others are held', async () => {
    return (await sql`select from outbox where held_until > now() + interval '50 seconds'`).length === 300
  })
  relay.wake()
  await write('sound', 2)
  await waitUntil('the next sound one', () => stored.sound?.length === 2)
  expect(await left()).toBe(301)
  expect(stored.poisoned_0).toBeUndefined()
  expect(kept).toEqual(Array(300).fill('error: the stream refuses an event'))
  refusing = false
  await sql`update outbox set held_until = now() where held_until is not null`
  await empty()
  expect(stored.poisoned_0).toEqual([0, 1])
})

test('a relay that died keeps the others out for as long as its lease lasts', async () => {
  const db = open()
  await write('a', 1)
  expect(await takeEvents(db, { holder: 'dead', done: [] })).toMatchObject({ leased: true })
  expect(await takeEvents(db, { holder: 'other', done: [] })).toMatchObject({ leased: false })
  const [lease] = await sql`select extract(epoch from until - now())::float as seconds from outbox_lease`
  expect(lease?.seconds).toBeGreaterThan(4)
  expect(lease?.seconds).toBeLessThanOrEqual(5)
  const { stored, publish } = keeping()
  const { relay } = relayTo(publish, db)
  relay.wake()
  await empty()
  expect(stored).toEqual({ a: [1] })
})

test('of many who take at once one gets the lease, and only while events wait', async () => {
  const dbs = Array.from({ length: 8 }, open)
  const take = () => Promise.all(dbs.map((db, at) => takeEvents(db, { holder: `relay ${at}`, done: [] })))
  expect((await take()).filter(({ leased }) => leased)).toEqual([])
  await write('a', 1)
  for (let round = 0; round < 10; round++) {
    await sql`update outbox_lease set until = now()`
    expect((await take()).filter(({ leased }) => leased)).toHaveLength(1)
  }
})

test('an answer of the database that is lost makes nobody publish twice', async () => {
  const { stored, publish } = keeping()
  const db = open()
  let lose = 0
  const losing = Object.assign(
    (async (...args: Parameters<Sql>) => {
      const rows = await db(...args)
      if (lose-- > 0) throw new Error('the connection is lost')
      return rows
    }) as Sql,
    { json: db.json },
  )
  for (const n of [1, 2, 3]) await write('a', n)
  const { relay } = relayTo(async event => {
    // The look that removes these is executed, and its answer lost.
    if (numberOf(event) === 3 && stored.a?.length === 2) lose = 2
    return publish(event)
  }, losing)
  relay.wake()
  await empty()
  await write('a', 4)
  await empty()
  expect(stored).toEqual({ a: [1, 2, 3, 4] })
})

test('a relay that was frozen past its lease publishes nothing before it has the lease again', async () => {
  const steps: string[] = []
  const db = open()
  const counted = Object.assign(
    ((...args: Parameters<Sql>) => {
      steps.push('statement')
      return db(...args)
    }) as Sql,
    { json: db.json },
  )
  const now = performance.now.bind(performance)
  let frozenMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + frozenMs)
  onTestFinished(() => void vi.restoreAllMocks())
  for (const n of [1, 2]) await write('a', n)
  const { relay } = relayTo(async event => {
    steps.push(`event ${numberOf(event)}`)
    if (numberOf(event) === 1) frozenMs += 6000
    return 'stored'
  }, counted)
  relay.wake()
  await empty()
  const events = steps.slice(steps.indexOf('event 1'), steps.indexOf('event 2') + 1)
  expect(events).toEqual(['event 1', 'statement', 'event 2'])
})

test('a stop finishes what is being published, takes no more, and leaves the lease to the next', async () => {
  // Of one aggregate, so that they are published one by one.
  for (let n = 1; n <= 3; n++) await write('a', n)
  const { stored, publish } = keeping()
  const db = open()
  let stopped: Promise<void> | undefined
  const first = relayTo(async event => {
    stopped ??= first.relay.stop()
    return publish(event)
  }, db)
  first.relay.wake()
  await waitUntil('the stop', () => stopped !== undefined)
  await stopped
  await write('a', 4)
  first.relay.wake()
  expect(await left()).toBe(1)
  expect(await takeEvents(db, { holder: 'next', done: [] })).toMatchObject({ leased: true, events: [{}] })
  expect(stored).toEqual({ a: [1, 2, 3] })
})
