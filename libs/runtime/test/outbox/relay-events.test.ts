// Relays on a real outbox, with the test as publisher.
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@svc/local/wait-until'
import { createMetrics, type Metrics } from '@svc/telemetry/metrics'
import { amountIn } from '@svc/testing/deploy/exposition'
import { onOwnClock } from '@svc/testing/own-clock'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import type { Sql } from '../../src/database.ts'
import { takeEvents } from '../../src/outbox/outbox.ts'
import {
  empty,
  keeping,
  left,
  numberOf,
  open,
  relayTo,
  sql,
  useOutbox,
  watched,
  write,
} from './outbox-scene.ts'

useOutbox()

test('events are published when the relay is woken, and a second later if it is not', async () => {
  const { stored, publish } = keeping()
  const db = open()
  // The driver needs timers to connect.
  await db`select 1`
  await onOwnClock(async clock => {
    const { relay } = relayTo(publish, db)
    await write('a', 1)
    relay.wake()
    await waitUntil('the first', () => stored.a?.length === 1)
    // Only then is nothing looked for any more.
    await waitUntil('the end of the lease', async () => !(await isLeased()))
    await write('a', 2)
    await clock.tickAsync(1000)
    await waitUntil('the second', () => stored.a?.length === 2)
    await empty()
    expect(stored).toEqual({ a: [1, 2] })
  })
})

test('events of one aggregate wait for each other; aggregates do not', async () => {
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

test('three relays and many writers: one relay works at a time, and each event is published once, in order', async () => {
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
  const each = sized(20, 60)
  await Promise.all(
    aggregates.map(async (aggregate, at) => {
      for (let n = 1; n <= each; n++) {
        await write(aggregate, n)
        relays[(at + n) % 3]?.wake()
      }
    }),
  )
  await empty()
  const all = Array.from({ length: each }, (_, n) => n + 1)
  expect(stored).toEqual(Object.fromEntries(aggregates.map(aggregate => [aggregate, all])))
  expect([...together].filter(which => which.includes(','))).toEqual([])
})

test('a failed event is tried again before those that follow it; the failure is logged once, and so is its end', async () => {
  for (const n of [1, 2, 3]) await write('a', n)
  const tried: number[] = []
  const attempts = () => tried.filter(n => n === 2).length
  const { relay, kept } = relayTo(async event => {
    tried.push(numberOf(event))
    if (numberOf(event) === 2 && attempts() <= 3) throw new Error('no acknowledgement')
    return 'stored'
  })
  relay.wake()
  await empty()
  expect(tried).toEqual([1, 2, 2, 2, 2, 3])
  expect(kept).toEqual([
    'warn: cannot publish events, they wait in the outbox',
    'info: publishing events again',
  ])
})

test('a relay that could not publish tries again half a second later, however often it is woken', async () => {
  let time = 0
  let tries = 0
  const metrics = createMetrics()
  const unable = async () => {
    tries++
    throw new Error('JetStream is gone')
  }
  const { relay } = relayTo(unable, open(), metrics, () => time)
  const failures = () =>
    amountIn(metrics, 'svc_work_loop_rounds_total', { loop: 'relay_events', outcome: 'failed' })
  await write('a', 1)
  for (let attempt = 1; attempt <= 3; attempt++) {
    relay.wake()
    await waitUntil('the failure', async () => (await failures()) === attempt)
    time += 499
    for (let wakes = 0; wakes < 100; wakes++) relay.wake()
    time += 1
  }
  await relay.stop()
  expect([tries, await failures()]).toEqual([3, 3])
})

test('a refused event holds up only its own aggregate, however many there are, and is tried again', async () => {
  const { stored, publish } = keeping()
  // More than are taken at once.
  await Promise.all(Array.from({ length: 300 }, (_, n) => write(`poisoned_${n}`, 0)))
  await write('poisoned_0', 1)
  await write('sound', 1)
  let refusing = true
  const { relay, kept } = relayTo(event =>
    refusing && numberOf(event) === 0 ? Promise.resolve('refused') : publish(event),
  )
  relay.wake()
  await waitUntil('the sound one', () => stored.sound?.length === 1)
  await waitUntil('all others are held', async () => {
    return (
      (await sql`select from outbox where held_until > created_at + interval '50 seconds'`).length === 300
    )
  })
  relay.wake()
  await write('sound', 2)
  await waitUntil('the next sound one', () => stored.sound?.length === 2)
  await waitUntil('its removal', async () => (await left()) === 301)
  expect(stored.poisoned_0).toBeUndefined()
  expect(kept).toEqual(Array(300).fill('error: event refused by the stream'))
  refusing = false
  await sql`update outbox set held_until = now() where held_until is not null`
  await empty()
  expect(stored.poisoned_0).toEqual([0, 1])
})

test('a lost answer of the database does not cause a second publication', async () => {
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
    // The statement that removes these is executed, and its answer lost.
    if (numberOf(event) === 3 && stored.a?.length === 2) lose = 2
    return publish(event)
  }, losing)
  relay.wake()
  await empty()
  await write('a', 4)
  await empty()
  expect(stored).toEqual({ a: [1, 2, 3, 4] })
})

test('a stop finishes what is being published, takes no more, and releases the lease', async () => {
  // Events of one aggregate are published one by one.
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

test('the age of the oldest event is read by the relay that publishes, and by relays that cannot', async () => {
  let letGo = () => {}
  const opened = new Promise<void>(resolve => (letGo = resolve))
  const [publishing, idle] = [createMetrics(), createMetrics()]
  let failing = false
  relayTo(
    async () => {
      await opened
      if (failing) throw new Error('JetStream is gone')
      return 'stored'
    },
    open(),
    publishing,
  ).relay.wake()
  await write('a', 1)
  await waitUntil('the lease', isLeased)
  await sql`update outbox_lease set until = now() + interval '1 hour'`
  let statements = 0
  const other = relayTo(
    async () => {
      throw new Error('JetStream is gone')
    },
    watched(open(), () => statements++),
    idle,
  )
  other.relay.wake()
  await waitUntil('its look', () => statements > 0)
  await waitUntil('that it is told by the other alone', async () => (await ageOf(idle)) === 0)
  expect(await ageOf(publishing)).toBeGreaterThan(0)
  failing = true
  letGo()
  await waitUntil('that both tell it', async () => (await ageOf(idle)) > 0)
  expect(await ageOf(publishing)).toBeGreaterThan(0)
})

const isLeased = async () => (await sql`select from outbox_lease where until > now()`).length > 0
const ageOf = async (metrics: Metrics) =>
  Number(/^svc_outbox_oldest_seconds\S* (.*)$/m.exec(await metrics.text())?.[1])
