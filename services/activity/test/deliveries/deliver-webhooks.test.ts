// What happens arrives where it is wanted: signed, at least once, and in the order of each aggregate.
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createTestDelivery } from '../../src/deliveries/create-test-delivery.ts'
import { redeliverWebhook } from '../../src/deliveries/redeliver-webhook.ts'
import {
  admin,
  atRest,
  deps,
  endpointRow,
  eventually,
  happen,
  inWorkspace,
  moveClock,
  newEndpoint,
  now,
  startReceiver,
  startReplica,
  stopClock,
  useDeliveries,
} from './delivery-scene.ts'

useDeliveries()

const numbers = (events: readonly { sequence: number }[]) => events.map(each => each.sequence)
const attemptsOf = async (id: string) =>
  (await admin`select state, attempts, step from webhook_deliveries where endpoint_id = ${id} order by position`) as unknown as {
    state: string
    attempts: { status: number | null; error: string | null }[]
  }[]

test('an event that is wanted arrives signed, and no other one does', async () => {
  const receiver = await startReceiver()
  const { id, workspace, secret } = await newEndpoint(receiver.url, {
    event_types: ['orders.*', 'installs.created'],
  })
  const replica = startReplica()
  const [wanted] = await happen(workspace, ['order_1'])
  await happen(workspace, ['inst_1'], 'installs.removed')
  await happen(newId('ws'), ['order_2'])
  const [last] = await happen(workspace, ['inst_2'], 'installs.created')
  await eventually(replica, 'two', () => receiver.received.length >= 2)
  await atRest(replica, id)
  expect(receiver.received.map(each => each.id).sort()).toEqual([wanted?.id, last?.id].sort())
  const [first] = receiver.received
  expect(first?.headers['webhook-id']).toBe(first?.id)
  const verified = new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})
  expect(verified).toEqual({
    id: wanted?.id,
    type: 'orders.created',
    created_at: Math.floor((wanted?.created_ms ?? 0) / 1000),
    workspace_id: workspace,
    aggregate_id: 'order_1',
    sequence: wanted?.sequence,
    data: { workspace_id: workspace, customer_workspace_id: workspace, offer_id: 'offer_1' },
  })
  expect(() => new Webhook(secret).verify(`${first?.body} `, first?.headers ?? {})).toThrow()
})

test('many events arrive in the order of each aggregate, to several replicas’ receivers once each', async () => {
  const count = sized(70, 3000)
  const receivers = await Promise.all([startReceiver(), startReceiver()])
  const workspace = newId('ws')
  for (const { url } of receivers) await newEndpoint(url, { workspace })
  const replicas = [startReplica(), startReplica()]
  const events = await happen(
    workspace,
    Array.from({ length: count }, (_, n) => `order_${n % 7}`),
  )
  for (const receiver of receivers) {
    await eventually(
      { wake: () => replicas.map(each => each.wake()) },
      'all',
      () => receiver.received.length >= count,
    )
    expect(receiver.sequences().sort((a, b) => a - b)).toEqual(numbers(events))
    for (let n = 0; n < 7; n++) {
      const own = events.filter(each => each.aggregate_id === `order_${n}`)
      expect(receiver.sequences(`order_${n}`)).toEqual(numbers(own))
    }
  }
})

test('an aggregate waits for its event that failed, and others go on', async () => {
  stopClock()
  const receiver = await startReceiver()
  const { id, workspace } = await newEndpoint(receiver.url)
  let failing = true
  receiver.answer = ({ aggregate_id }) => ({ status: failing && aggregate_id === 'bad' ? 500 : 200 })
  const replica = startReplica()
  const events = await happen(workspace, ['bad', 'good', 'bad', 'good'])
  await eventually(replica, 'the good ones', () => receiver.sequences('good').length === 2)
  await atRest(replica, id)
  expect(receiver.sequences('bad')).toEqual([events[0]?.sequence])
  const [first] = await attemptsOf(id)
  expect(first).toMatchObject({ state: 'pending', attempts: [{ status: 500, error: 'HTTP 500' }] })

  // Not yet.
  moveClock(3)
  await atRest(replica, id)
  expect(receiver.sequences('bad')).toHaveLength(1)
  failing = false
  moveClock(4)
  await eventually(replica, 'the bad ones', () => receiver.sequences('bad').length === 3)
  expect(receiver.sequences('bad')).toEqual([0, 0, 2].map(n => events[n]?.sequence))
})

test('what happens while an endpoint is away is kept without bound, and sent when it is back', async () => {
  const receiver = await startReceiver(() => ({ status: 503 }))
  const { id, workspace } = await newEndpoint(receiver.url)
  const replica = startReplica()
  const events = await happen(
    workspace,
    Array.from({ length: 130 }, (_, n) => `order_${n % 110}`),
  )
  await eventually(replica, 'a failure', async () => (await endpointRow(id)).failing_since !== null)
  await eventually(replica, 'as much as may wait', async () => {
    const [row] =
      await admin`select count(*)::int from webhook_deliveries where endpoint_id = ${id} and step > 0`
    return row?.count === 100
  })
  expect(await attemptsOf(id)).toHaveLength(100)
  const before = receiver.received.length
  receiver.answer = () => ({ status: 200 })
  moveClock(2 * 24 * 3600)
  await eventually(replica, 'all', () => receiver.received.length - before >= events.length)
  const sent = receiver.received.slice(before).map(each => each.sequence)
  expect(sent.sort((a, b) => a - b)).toEqual(numbers(events))
  await atRest(replica, id)
  expect(await endpointRow(id)).toMatchObject({ failing_since: null, state: 'active' })
})

test('an endpoint that hangs delays no other one', async () => {
  const waiting: ((answer: { status: number }) => void)[] = []
  const hanging = await startReceiver(() => new Promise(resolve => waiting.push(resolve)))
  const quick = await startReceiver()
  const workspace = newId('ws')
  await newEndpoint(hanging.url, { workspace })
  await newEndpoint(quick.url, { workspace })
  const replica = startReplica()
  await happen(
    workspace,
    Array.from({ length: 20 }, (_, n) => `order_${n}`),
  )
  await eventually(replica, 'all of the quick one', () => quick.received.length === 20)
  expect(hanging.received.length).toBeLessThanOrEqual(4)
  hanging.answer = () => ({ status: 200 })
  for (const answer of waiting) answer({ status: 200 })
})

test('410 disables an endpoint without another try, and its event says so', async () => {
  const receiver = await startReceiver(() => ({ status: 410 }))
  const { id, workspace } = await newEndpoint(receiver.url)
  const replica = startReplica()
  await happen(workspace, ['order_1', 'order_1'])
  await eventually(replica, 'its end', async () => (await endpointRow(id)).state === 'disabled')
  expect(await endpointRow(id)).toMatchObject({ disabled_reason: 'gone', mail: 'disabled' })
  const [event] =
    await admin`select subject, payload, changes from outbox where aggregate_id = ${id} order by sequence desc`
  expect(event).toMatchObject({
    subject: 'events.webhook_endpoints.disabled',
    payload: { workspace_id: workspace, reason: 'gone' },
    changes: { state: { before: 'active', after: 'disabled' } },
  })
  expect(replica.written).toHaveLength(1)
  moveClock(24 * 3600)
  await happen(workspace, ['order_2'])
  await atRest(replica, id)
  expect(receiver.received).toHaveLength(1)
})

test('429 with Retry-After stops everything for so long, and for an hour at most', async () => {
  const receiver = await startReceiver(() => ({ status: 429, headers: { 'retry-after': '86400' } }))
  const { id, workspace } = await newEndpoint(receiver.url)
  const replica = startReplica()
  await happen(workspace, ['order_1'])
  await eventually(replica, 'a rest', async () => (await endpointRow(id)).rest_until !== null)
  await happen(workspace, ['order_2'])
  moveClock(3000)
  await atRest(replica, id)
  expect(receiver.received).toHaveLength(1)
  receiver.answer = () => ({ status: 200 })
  moveClock(700)
  await eventually(replica, 'both', () => receiver.received.length === 3)
})

test('people are told after a day of failures, and after five the endpoint is disabled, however few there were', async () => {
  const receiver = await startReceiver(() => ({ status: 500 }))
  const { id, workspace } = await newEndpoint(receiver.url)
  const replica = startReplica()
  await happen(workspace, ['order_1'])
  await eventually(replica, 'a failure', () => receiver.received.length === 1)
  await atRest(replica, id)
  expect(await endpointRow(id)).toMatchObject({ state: 'active', warned: false, mail: null })
  moveClock(25 * 3600)
  await eventually(replica, 'a warning', async () => (await endpointRow(id)).mail === 'failing')
  await admin`update webhook_endpoints set mail = null where id = ${id}`
  moveClock(3 * 24 * 3600)
  await eventually(replica, 'one more', () => receiver.received.length === 3)
  await atRest(replica, id)
  expect(await endpointRow(id)).toMatchObject({ state: 'active', mail: null })
  moveClock(24 * 3600)
  await eventually(replica, 'its end', async () => (await endpointRow(id)).state === 'disabled')
  expect(await endpointRow(id)).toMatchObject({ disabled_reason: 'failing', mail: 'disabled' })
  expect((await attemptsOf(id))[0]?.state).toBe('pending')
})

test('a redelivery that succeeds ends the failing of its endpoint, and a test does not', async () => {
  stopClock()
  const receiver = await startReceiver(() => ({ status: 500 }))
  const { id, workspace } = await newEndpoint(receiver.url)
  const replica = startReplica()
  const [event] = await happen(workspace, ['order_1'])
  await eventually(replica, 'a failure', () => receiver.received.length === 1)
  await atRest(replica, id)
  receiver.answer = () => ({ status: 200 })
  await createTestDelivery({ params: { id } } as never, inWorkspace(workspace), deps())
  await eventually(replica, 'a test', () => receiver.received.length === 2)
  await atRest(replica, id)
  expect(await endpointRow(id)).toMatchObject({ failing_since: expect.any(Date), last_delivered_at: null })
  const params = { id, delivery_id: event?.id }
  await redeliverWebhook({ params } as never, inWorkspace(workspace), deps())
  await eventually(replica, 'a redelivery', () => receiver.received.length === 3)
  await atRest(replica, id)
  expect(await endpointRow(id)).toMatchObject({ failing_since: null, last_delivered_at: expect.any(Date) })
})

test('a thousand failures disable nothing while anything succeeds', async () => {
  let accepted = 0
  const receiver = await startReceiver(() => ({ status: accepted++ % 2 === 0 ? 200 : 500 }))
  const { id, workspace } = await newEndpoint(receiver.url)
  const replica = startReplica()
  for (let day = 0; day < 7; day++) {
    await happen(workspace, ['order_1', 'order_2'])
    await eventually(replica, 'attempts', () => receiver.received.length >= 2 * (day + 1))
    await atRest(replica, id)
    moveClock(24 * 3600)
  }
  expect(await endpointRow(id)).toMatchObject({ state: 'active', mail: null, warned: false })
})

test('an event is given up after three days where the endpoint takes others, and what is behind it goes on', async () => {
  const receiver = await startReceiver()
  const { id, workspace } = await newEndpoint(receiver.url)
  const [bad, next] = await happen(workspace, ['bad', 'bad'])
  receiver.answer = ({ sequence }) => ({ status: sequence === bad?.sequence ? 400 : 200 })
  const replica = startReplica()
  await eventually(replica, 'a failure', () => receiver.received.length === 1)
  const hours = 15
  let rounds = 0
  while (!receiver.sequences().includes(next?.sequence ?? 0) && rounds < 10) {
    const before = receiver.sequences('bad').length
    await happen(workspace, [`good_${rounds++}`])
    moveClock(hours * 3600)
    await eventually(replica, 'another attempt', () => receiver.sequences('bad').length > before)
    await atRest(replica, id)
  }
  expect(rounds * hours).toBeGreaterThanOrEqual(72)
  expect(rounds).toBeLessThan(10)
  expect((await attemptsOf(id))[0]).toMatchObject({ state: 'failed' })
})

test('a stop waits for what is being sent, and notes it', async () => {
  let answer = () => {}
  const receiver = await startReceiver(
    () =>
      new Promise(resolve => {
        answer = () => resolve({ status: 200 })
      }),
  )
  const { id, workspace } = await newEndpoint(receiver.url)
  const replica = startReplica()
  await happen(workspace, ['order_1', 'order_1'])
  await eventually(replica, 'a request', () => receiver.received.length === 1)
  const stopped = replica.stop()
  answer()
  await stopped
  expect((await attemptsOf(id)).map(each => each.state)).toEqual(['delivered', 'pending'])
  expect(new Date((await endpointRow(id)).held_until).getTime()).toBeLessThanOrEqual(now())
})
