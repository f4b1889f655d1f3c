// Two who read one outbox: each gets every event once, in the order of its aggregate, however late its row is committed.
import { createMetrics } from '@svc/telemetry/metrics'
import { waitUntil } from '@svc/local/wait-until'
import { sized } from '@svc/testing/size'
import { expect, onTestFinished, test } from 'vitest'
import type { Database, Sql } from '../../src/database.ts'
import { createCompaction } from '../../src/outbox/compact-taken.ts'
import { takeEvents } from '../../src/outbox/outbox.ts'
import { leaveTaken, type OutboxKey } from '../../src/outbox/outbox-readers.ts'
import { createEventReader } from '../../src/outbox/read-events.ts'
import { empty, keeping, open, relayTo, sql, useOutbox, write } from './outbox-scene.ts'

useOutbox()

const readerOn = (db: Sql) => createEventReader({ sql: db, metrics: createMetrics() } as unknown as Database)
const rows = async () => (await sql`select from outbox`).length
const read = (db: Sql, taken: readonly OutboxKey[] = [], limit = 500) => readerOn(db)(db, { taken, limit })
const aggregates = (events: readonly { aggregate_id: string }[]) => events.map(each => each.aggregate_id)
const rangesOf = async (reader: string) =>
  Number(
    (
      await sql`select (select count(*) from unnest(taken)) as n from outbox_readers where name = ${reader}`
    )[0]?.n,
  )

test('a row goes when both have taken it, whoever is first', async () => {
  const db = open()
  for (const aggregate of ['a', 'b']) await write(aggregate, 1)
  const { events } = await read(db)
  expect(aggregates(events)).toEqual(['a', 'b'])
  expect(aggregates((await read(db)).events)).toEqual(['a', 'b'])
  expect((await read(db, events.slice(0, 1))).events).toHaveLength(1)
  expect(await rows()).toBe(2)
  const taken = await takeEvents(db, { holder: 'relay', done: [] })
  expect(aggregates(taken.events)).toEqual(['a', 'b'])
  expect((await takeEvents(db, { holder: 'relay', done: taken.events })).events).toEqual([])
  expect(await rows()).toBe(1)
  expect((await read(db, events)).events).toEqual([])
  expect(await rows()).toBe(0)
})

test('while nobody reads, the relay publishes each event once, also after a restart', async () => {
  const { stored, publish } = keeping()
  for (let n = 1; n <= 3; n++) await write('a', n)
  const { relay } = relayTo(publish)
  relay.wake()
  await empty()
  await relay.stop()
  await write('a', 4)
  relayTo(publish).relay.wake()
  await empty()
  expect(stored).toEqual({ a: [1, 2, 3, 4] })
  expect(await rows()).toBe(4)
  expect((await read(open())).events.map(({ data }) => JSON.parse(data).n)).toEqual([1, 2, 3, 4])
})

test('events that share a reused number are not taken for each other', async () => {
  const db = open()
  await write('lost', 1)
  const { events } = await read(db)
  await sql`delete from outbox`
  await sql`
    insert into outbox (sequence, aggregate_id, subject, payload) overriding system value
    values (${events[0]?.sequence ?? 0}, 'after', 'events.compute_settings.updated', '{}')`
  expect(aggregates((await read(db, events)).events)).toEqual(['after'])
})

test('a row that is committed after later ones is read, and only then is the gap closed', async () => {
  const db = open()
  let passed = 0
  const compaction = createCompaction('activity', () => (passed += 1001))
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
  await write('fast', 1)
  const { events } = await read(db)
  expect(aggregates(events)).toEqual(['fast'])
  await leaveTaken(db, 'activity', events)
  for (let n = 0; n < 10; n++) await compaction.close(db)
  expect(await rangesOf('activity')).toBe(2)
  commit()
  await slow
  for (let n = 0; n < 10; n++) await compaction.close(db)
  const late = await read(db)
  expect(aggregates(late.events)).toEqual(['slow'])
  await leaveTaken(db, 'activity', late.events)
  expect(await rangesOf('activity')).toBe(1)
})

test('gaps of transactions that were rolled back are closed', async () => {
  const db = open()
  let passed = 0
  const compaction = createCompaction('stream', () => (passed += 1001))
  const { stored, publish } = keeping()
  for (let n = 1; n <= 5; n++) {
    await sql
      .begin(async tx => {
        await write('gone', n, tx)
        throw new Error('rolled back')
      })
      .catch(() => {})
    await write('a', n)
  }
  relayTo(publish).relay.wake()
  await empty()
  expect(stored).toEqual({ a: [1, 2, 3, 4, 5] })
  // Transactions of other tests are in progress on this server, too.
  await waitUntil('one range', async () => {
    await compaction.close(db)
    return (await rangesOf('stream')) === 1
  })
})

test('writers, a relay and a reader at once: both get each event once, in order, and nothing is left', async () => {
  const db = open()
  const { stored, publish } = keeping()
  const { relay } = relayTo(publish)
  const each = sized(15, 100)
  const names = Array.from({ length: 8 }, (_, n) => `agg_${n}`)
  let writing = true
  const got: Record<string, number[]> = {}
  const readAll = async () => {
    const reader = readerOn(db)
    let taken: readonly OutboxKey[] = []
    let isLast = false
    do {
      // As of before the read: what is committed during it may not be in it.
      isLast = !writing
      const { events } = await reader(db, { taken, limit: 7 })
      for (const { aggregate_id, data } of events)
        got[aggregate_id] = [...(got[aggregate_id] ?? []), JSON.parse(data).n]
      taken = events
    } while (!isLast || taken.length > 0)
  }
  const reading = readAll()
  await Promise.all(
    names.map(async name => {
      for (let n = 1; n <= each; n++) {
        await sql.begin(async tx => {
          await write(name, n, tx)
          // Others commit meanwhile.
          await tx`select pg_sleep(${Math.random() * 0.01})`
        })
        relay.wake()
      }
    }),
  )
  writing = false
  await reading
  await empty()
  await waitUntil('nothing that is left', async () => (await rows()) === 0)
  const all = Object.fromEntries(names.map(name => [name, Array.from({ length: each }, (_, n) => n + 1)]))
  expect(got).toEqual(all)
  expect(stored).toEqual(all)
})

const many = sized(5_000, 200_000)
test(`with ${many} events that nobody has read, the relay touches few pages`, async () => {
  const db = open()
  const snapshot = await sql.reserve()
  onTestFinished(() => snapshot.release())
  await snapshot`begin isolation level repeatable read`
  onTestFinished(async () => void (await snapshot`rollback`))
  await snapshot`select from outbox`
  await sql`
      insert into outbox (aggregate_id, subject, payload)
      select 'agg_' || n, 'events.compute_settings.updated', '{}' from generate_series(1, ${many}) n`
  await sql`
      update outbox_readers set taken = (select taken + range_agg(int8range(sequence, sequence, '[]')) from outbox)
      where name = 'stream'`
  for (let n = 0; n < 10; n++) await write('next', n)
  const { buffers, plan } = await explainTake(db)
  expect(buffers).toBeLessThan(80)
  expect(plan).not.toContain('Seq Scan on outbox ')
  // The other one reads from the beginning, a batch and no more.
  expect((await read(db, [], 100)).events).toHaveLength(100)
})

/** The plan of a take that gets what waits. */
async function explainTake(db: Sql) {
  let plan: { Plan: Record<string, number> } | undefined
  const explain = async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const [first = '', ...others] = strings
    const texts = [`explain (analyze, buffers, format json) ${first}`, ...others]
    const [row] = await db<{ 'QUERY PLAN': [typeof plan] }>(Object.assign(texts, { raw: texts }), ...values)
    plan = row?.['QUERY PLAN'][0]
    return []
  }
  const explaining = Object.assign(explain, { json: db.json }) as Sql
  await takeEvents(explaining, { holder: 'relay', done: [] })
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = plan?.Plan ?? {}
  return { plan: JSON.stringify(plan), buffers: hit + read }
}
