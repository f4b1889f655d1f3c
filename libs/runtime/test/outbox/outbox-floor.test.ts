// However many events have passed through the outbox, a read starts where the first one may be.
import { waitUntil } from '@svc/local/wait-until'
import { patience, sized } from '@svc/testing/size'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Sql } from '../../src/database.ts'
import { takeEvents } from '../../src/outbox/outbox.ts'
import { createFloor, type Floor } from '../../src/outbox/outbox-floor.ts'
import { open, sql, useOutbox, write } from './outbox-scene.ts'

useOutbox()

let passedMs: number
/**
 * Only the floor's clock is faked: everything else in this worker, such as the connection that drops databases, has the
 * real one.
 */
const now = () => performance.now() + passedMs

beforeEach(() => {
  passedMs = 0
})

/** Like a relay: takes all events and removes them. */
async function drain(db: Sql, floor: Floor) {
  const seen: string[] = []
  let done: number[] = []
  for (;;) {
    const { events } = await takeEvents(db, { holder: 'relay', done, floor: floor.value })
    if (events.length === 0) return seen
    done = events.map(({ sequence }) => sequence)
    seen.push(...events.map(({ aggregate_id }) => aggregate_id))
    floor.taken(Math.max(...done))
  }
}

async function raise(db: Sql, floor: Floor, seconds: number) {
  for (let second = 0; second < seconds; second++) {
    passedMs += 1000
    await floor.raise(db)
  }
}

const last = async () => Number((await sql`select max(sequence) as last from outbox`)[0]?.last)

/** Transactions of other tests are in progress on this server, too; meanwhile the floor may forget what was taken. */
const reaches = (db: Sql, floor: Floor, value: number) =>
  waitUntil(`the floor ${value}`, async () => {
    floor.taken(value)
    await raise(db, floor, 1)
    return floor.value === value
  })

const many = sized(20_000, 200_000)
test(
  `after ${many} events a read touches few pages, though an old snapshot keeps them from being vacuumed`,
  async () => {
    const db = open()
    const snapshot = await sql.reserve()
    onTestFinished(() => snapshot.release())
    await snapshot`begin isolation level repeatable read`
    onTestFinished(async () => void (await snapshot`rollback`))
    await snapshot`select from outbox`
    await sql`
    insert into outbox (aggregate_id, subject, payload)
    select 'agg_' || n, 'events.compute_settings.updated', '{}' from generate_series(1, ${many}) n`
    const highest = await last()
    const floor = createFloor(now)
    const began = Date.now()
    let taken = 0
    let done: number[] = []
    while (taken < many) {
      const { events } = await takeEvents(db, { holder: 'relay', done, floor: floor.value })
      done = events.map(({ sequence }) => sequence)
      taken += done.length
      floor.taken(Math.max(...done))
      await raise(db, floor, 1)
    }
    await takeEvents(db, { holder: 'relay', done, floor: floor.value })
    expect(Date.now() - began).toBeLessThan(patience(30_000))
    await reaches(db, floor, highest)
    for (let n = 0; n < 10; n++) await write('next', n)

    const low = await explainTake(db, floor.value)
    expect(low.buffers).toBeLessThan(60)
    expect(low.plan).not.toContain('Seq Scan')
    expect(low.plan).not.toContain('"Sort Key":["outbox')
    // Without it a read scans everything that was ever there.
    expect((await explainTake(db, 0)).buffers).toBeGreaterThan(sized(150, 1000))
  },
  patience(60_000),
)

/** The plan of a take that gets what waits. */
async function explainTake(db: Sql, floor: number) {
  let plan: { Plan: Record<string, number> } | undefined
  const explain = async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const [first = '', ...others] = strings
    const texts = [`explain (analyze, buffers, format json) ${first}`, ...others]
    const [row] = await db<{ 'QUERY PLAN': [typeof plan] }>(Object.assign(texts, { raw: texts }), ...values)
    plan = row?.['QUERY PLAN'][0]
    return []
  }
  const explaining = Object.assign(explain, { json: db.json }) as Sql
  await takeEvents(explaining, { holder: 'relay', done: [], floor })
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = plan?.Plan ?? {}
  return { plan: JSON.stringify(plan), buffers: hit + read }
}

test('a number that was drawn but is not visible yet keeps the floor below it', async () => {
  const db = open()
  const floor = createFloor(now)
  await write('before', 1)
  const before = await last()
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
  const highest = await last()
  expect(await drain(db, floor)).toEqual(['before', 'fast'])
  await raise(db, floor, 20)
  expect(floor.value).toBeLessThanOrEqual(before)
  commit()
  await slow
  await raise(db, floor, 20)
  expect(floor.value).toBeLessThanOrEqual(before + 1)
  expect(await drain(db, floor)).toEqual(['slow'])
  await reaches(db, floor, highest)
})

test('an event that is held back keeps the floor below it', async () => {
  const db = open()
  const floor = createFloor(now)
  await write('held', 1)
  const held = await last()
  await sql`update outbox set held_until = now() + interval '1 minute'`
  await write('sound', 1)
  expect(await drain(db, floor)).toEqual(['sound'])
  await reaches(db, floor, held - 1)
  await raise(db, floor, 20)
  expect(floor.value).toBe(held - 1)
  await sql`update outbox set held_until = now()`
  expect(await drain(db, floor)).toEqual(['held'])
})

test('a minute later the floor is determined again, and what was restored below it is taken', async () => {
  const db = open()
  const floor = createFloor(now)
  await write('a', 1)
  const first = await last()
  await drain(db, floor)
  await reaches(db, floor, first)
  await sql`
    insert into outbox (sequence, aggregate_id, subject, payload) overriding system value
    values (${first}, 'restored', 'events.compute_settings.updated', '{}')`
  expect(await drain(db, floor)).toEqual([])
  await raise(db, floor, 60)
  expect(await drain(db, floor)).toEqual(['restored'])
})
