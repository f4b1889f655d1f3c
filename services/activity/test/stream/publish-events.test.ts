// What is kept is published in the order of positions, with the test as the stream.
import { openPool } from '@svc/testing/open-pool'
import type { Bus } from '@svc/bus/connection'
import type { EventStream, Outcome, StreamEvent } from '@svc/bus/events/events'
import type { ReadEvent } from '@svc/contract/core/reading-events'
import { eventMessage } from '@svc/contract/events'
import { waitUntil } from '@svc/local/wait-until'
import type { Database } from '@svc/runtime/database'
import { shareTestDatabase } from '@svc/testing/database'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { cursorAt } from '../../src/events/read-events.ts'
import { keepEvents } from '../../src/keeping/keep-events.ts'
import { ensurePartitions } from '../../src/keeping/partitions.ts'
import { startPublishing } from '../../src/stream/publish-events.ts'
import { newEvent } from '../new-event.ts'

let database: Database
const sql = () => database.sql

beforeAll(async () => {
  database = openPool((await shareTestDatabase()).urls.activity)
  await ensurePartitions(sql, [Date.now()])
})
afterAll(async () => {
  await database.close()
})
beforeEach(async () => {
  await sql()`update stream_position set position = (select position from last_position)`
  await sql()`delete from sources`
})

const keep = async (events: readonly ReadEvent[]) => {
  await keepEvents(sql(), events)
  return events.map(({ id }) => id)
}

/** A replica, and what it logs. */
function replica(publish: EventStream['publish']) {
  const bus = { nc: { subscribe: () => ({ unsubscribe() {} }) }, onChange() {} } as unknown as Bus
  const logged: string[] = []
  const at = (level: string) => (_fields: object, message: string) => void logged.push(`${level}: ${message}`)
  const log = { info: at('info'), warn: at('warn'), error: at('error') }
  const publishing = startPublishing({ bus, stream: { publish }, sql, log: log as never })
  onTestFinished(() => publishing.stop())
  return { ...publishing, logged }
}

/** Stores everything. */
function storing() {
  const stored: StreamEvent[] = []
  const publish = async (events: readonly StreamEvent[]): Promise<Outcome[]> => {
    stored.push(...events)
    return events.map(() => 'stored')
  }
  return { stored, publish, ids: () => stored.map(({ id }) => id) }
}

test('an event of two workspaces is published once, with who did it, and not with their address', async () => {
  const actor = {
    kind: 'user',
    id: 'user_1',
    name: 'a@b.example',
    credential_id: 'sess_1',
    workspace_id: 'ws_2',
  }
  const data = '{"workspace_id":"ws_1","customer_workspace_id":"ws_2", "offer_id":"offer_1"}'
  const changes = '{"state":{"before":"reserved","after":"completed"}}'
  const event = newEvent({
    type: 'orders.completed',
    aggregate_id: 'order_"1"',
    data,
    actor: JSON.stringify(actor),
    request_id: 'req_"1"',
    address: '192.0.2.1',
    changes,
  })
  await keep([event])
  const { stored, publish } = storing()
  replica(publish).wake()
  await waitUntil('the event', () => stored.length > 0)
  const [kept] = await sql()<{ position: number }>`select position from events where id = ${event.id}`
  expect(stored).toMatchObject([
    { id: event.id, subject: 'events.orders.completed', cursor: cursorAt(kept?.position ?? 0) },
  ])
  expect(eventMessage.parse(JSON.parse(stored[0]?.body ?? ''))).toEqual({
    id: event.id,
    type: event.type,
    aggregate_id: event.aggregate_id,
    sequence: event.sequence,
    created_at: Math.floor(event.created_ms / 1000),
    actor,
    request_id: 'req_"1"',
    changes: JSON.parse(changes),
    data: JSON.parse(data),
  })
  expect(stored[0]?.body).toContain(data)
})

test('one of three replicas publishes, in order, and another one goes on when it stops', async () => {
  const { publish, ids } = storing()
  const publishers = new Set<number>()
  const replicas = [0, 1, 2].map(which =>
    replica(events => {
      publishers.add(which)
      return publish(events)
    }),
  )
  const all: string[] = []
  for (let n = 0; n < 20; n++) {
    all.push(...(await keep(Array.from({ length: 60 }, () => newEvent()))))
    for (const { wake } of replicas) wake()
  }
  await waitUntil('all', () => ids().length >= all.length)
  expect(ids()).toEqual(all)
  expect(publishers.size).toBe(1)
  await replicas[[...publishers][0] ?? 0]?.stop()
  all.push(...(await keep([newEvent()])))
  await waitUntil('the next', () => ids().length >= all.length)
  expect(ids()).toEqual(all)
  expect(publishers.size).toBe(2)
})

test('what is not stored is published again before what follows it; the failure is logged once, and so is its end', async () => {
  const { stored, publish, ids } = storing()
  const all = await keep(Array.from({ length: 5 }, () => newEvent()))
  let failures = 0
  const { wake, logged } = replica(async events => {
    if (stored.length === 0) return publish(events.slice(0, 2))
    if (++failures <= 2) throw new Error('JetStream is gone')
    return publish(events)
  })
  wake()
  await waitUntil('all', () => ids().length === all.length)
  expect(ids()).toEqual(all)
  await waitUntil('the end of it', () => logged.length === 2)
  expect(logged).toEqual(['warn: background work failed, will retry', 'info: background work succeeds again'])
})

test('an event that the stream refuses is left out, and holds up none', async () => {
  const { publish, ids } = storing()
  const [poison, ...others] = await keep(
    Array.from({ length: 3 }, () => newEvent({ aggregate_id: 'offer_2' })),
  )
  const { wake, logged } = replica(async ([first, ...rest]) =>
    first?.id === poison ? ['refused'] : first ? publish([first, ...rest]) : [],
  )
  wake()
  await waitUntil('the others', () => ids().length === others.length)
  expect(ids()).toEqual(others)
  expect(logged).toEqual(['error: event refused by the stream, skipped'])
})
