// Which relay may take what from the outbox.
import { bySystem } from '@svc/contract/core/actor'
import { waitUntil } from '@svc/local/wait-until'
import { createMetrics } from '@svc/telemetry/metrics'
import { sized } from '@svc/testing/size'
import { TypeID } from 'typeid-js'
import { expect, test } from 'vitest'
import { takeEvents } from '../../src/outbox/outbox.ts'
import type { PublishEvent } from '../../src/outbox/relay-events.ts'
import { empty, keeping, numberOf, open, relayTo, sql, useOutbox, watched, write } from './outbox-scene.ts'

useOutbox()

test('a message has all but the address; its id is a TypeID of its time, and the same each time it is taken', async () => {
  const began = Date.now()
  const by = bySystem('test')
  await sql`
    insert into outbox (aggregate_id, subject, payload, actor, request_id, address, changes)
    select 'a', 'events.compute_settings.updated', '{}', ${by.actor}::text::json, 'req_"1"', '192.0.2.1',
      '{"name":{"before":"A","after":"B"}}'
    from generate_series(1, 500)`
  const take = async () => (await takeEvents(open(), { holder: 'relay', done: [] })).events
  const events = await take()
  expect(await take()).toEqual(events)
  expect(new Set(events.map(({ id }) => id)).size).toBe(500)
  for (const { id, body, sequence } of events) {
    const hex = TypeID.fromString(id, 'evt').toUUID().replaceAll('-', '')
    expect(hex).toMatch(/^.{12}7.{3}[89ab]/)
    const at = Number.parseInt(hex.slice(0, 12), 16)
    expect(at).toBeGreaterThanOrEqual(began - 5)
    expect(at).toBeLessThanOrEqual(Date.now() + 5)
    expect(JSON.parse(body)).toEqual({
      id,
      type: 'compute_settings.updated',
      aggregate_id: 'a',
      sequence,
      created_at: Math.floor(at / 1000),
      actor: JSON.parse(by.actor),
      request_id: 'req_"1"',
      changes: { name: { before: 'A', after: 'B' } },
      data: {},
    })
  }
})

test("a message carries its event's data exactly as written", async () => {
  const aggregate = 'ws "1"\\\n/ü'
  const data = { text: 'a "b" \\ \u2028 ü', n: 1.5, none: null, list: [{}] }
  await sql`
    insert into outbox (aggregate_id, subject, payload)
    values (${aggregate}, 'events.compute_settings.updated', ${sql.json(data)})`
  const { events } = await takeEvents(open(), { holder: 'relay', done: [] })
  expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([{ aggregate_id: aggregate, data }])
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

test('an event that is committed after later ones is still published', async () => {
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

test('a relay that died keeps the others out for as long as its lease lasts', async () => {
  const db = open()
  await write('a', 1)
  const [before] = await sql<{ at: Date }[]>`select clock_timestamp() as at`
  expect(await takeEvents(db, { holder: 'dead', done: [] })).toMatchObject({ leased: true })
  const [lease] = await sql`
    select until - interval '5 seconds' between ${before?.at ?? ''} and clock_timestamp() as lasts from outbox_lease`
  expect(lease?.lasts).toBe(true)
  await sql`update outbox_lease set until = now() + interval '1 hour'`
  expect(await takeEvents(db, { holder: 'other', done: [] })).toMatchObject({ leased: false })
  await sql`update outbox_lease set until = now()`
  const { stored, publish } = keeping()
  const { relay } = relayTo(publish, db)
  relay.wake()
  await empty()
  expect(stored).toEqual({ a: [1] })
})

test('a relay that finds another one publishing takes nothing and reports it', async () => {
  const db = open()
  for (const n of [1, 2]) await write('a', n)
  const first = await takeEvents(db, { holder: 'first', done: [] })
  expect(first).toMatchObject({ busy: false, leased: true, events: [{}, {}] })
  await sql`update outbox_lease set until = now() + interval '1 hour'`
  const other = () => takeEvents(db, { holder: 'other', done: [] })
  expect(await other()).toMatchObject({ busy: true, leased: false, events: [] })
  await takeEvents(db, { holder: 'first', done: first.events })
  expect(await other()).toMatchObject({ busy: false, leased: false, events: [] })
  await write('a', 3)
  expect(await other()).toMatchObject({ busy: false, leased: true, events: [{}] })
})

test('one of many relays gets the lease, and only while events wait', async () => {
  const dbs = Array.from({ length: 8 }, open)
  const take = () => Promise.all(dbs.map((db, at) => takeEvents(db, { holder: `relay ${at}`, done: [] })))
  expect((await take()).filter(({ leased }) => leased)).toEqual([])
  await write('a', 1)
  for (let round = 0; round < sized(3, 10); round++) {
    await sql`update outbox_lease set until = now()`
    expect((await take()).filter(({ leased }) => leased)).toHaveLength(1)
  }
})

test('a relay that was frozen past its lease publishes nothing before it has the lease again', async () => {
  const steps: string[] = []
  let frozenMs = 0
  const counted = watched(open(), () => steps.push('statement'))
  for (const n of [1, 2]) await write('a', n)
  const publish: PublishEvent = async event => {
    steps.push(`event ${numberOf(event)}`)
    if (numberOf(event) === 1) frozenMs += 6000
    return 'stored'
  }
  const { relay } = relayTo(publish, counted, createMetrics(), () => performance.now() + frozenMs)
  relay.wake()
  await empty()
  const between = steps.slice(steps.indexOf('event 1') + 1, steps.indexOf('event 2'))
  expect(between).toContain('statement')
})
