// In `npm test`: events.test.ts.
/** Events through durable consumers, on real servers. */
import { eventCommands } from '@svc/local/admin-events'
import { waitUntil } from '@svc/local/wait-until'
import { expect, test } from 'vitest'
import type { CallBus } from '../../src/call.ts'
import type { Bus } from '../../src/connection.ts'
import { findParked, listParked } from '../../src/events/parked-events.ts'
import { newScene } from './consume-scene.ts'
import { keepingLog, newGate } from '../test-bus.ts'

const names = (count: number, prefix = 'offer') => Array.from({ length: count }, (_, at) => `${prefix}_${at}`)

/** The command, and what it tells the service `activity` before anything is delivered. */
async function redeliverAsOperator(bus: Bus, number: number) {
  const noted: unknown[] = []
  const call: CallBus = async ({ subject, body }) => {
    expect(subject).toBe('rpc.activity.note_redelivery')
    expect(await findParked(bus, number)).toBeDefined()
    noted.push(JSON.parse(Buffer.from(body).toString()))
    return { status: 200, body: Buffer.from('{}'), header: () => '' }
  }
  const operator = { caller: { kind: 'internal', id: 'admin', name: 'Zoë' } } as const
  const given = { options: {}, argument: `${number}`, password: undefined, operator }
  await eventCommands['events redeliver']?.run(call, given, bus)
  return noted[0]
}

/** A handler that records its events. */
function collector() {
  const got: string[] = []
  return { got, take: async ({ aggregate_id }: { aggregate_id: string }) => void got.push(aggregate_id) }
}

test('each event reaches the handler of its type with its data, even if it is older than the first consumer', async () => {
  const scene = await newScene()
  await scene.publish(['offer_old'])
  const got: unknown[] = []
  await scene.replica({
    'offers.created': async ({ type, aggregate_id, data }) =>
      got.push([type, aggregate_id, data.package_version_id]),
    'offers.revoked': async ({ type, aggregate_id, data }) =>
      got.push([type, aggregate_id, data.workspace_id]),
  })
  await waitUntil('the old one', () => got.length === 1)
  await scene.publish(['offer_new'], 'revoked')
  await waitUntil('the new one', () => got.length === 2)
  expect(got).toEqual([
    ['offers.created', 'offer_old', 'pkgv_1'],
    ['offers.revoked', 'offer_new', 'ws_1'],
  ])
})

test('fields that a later release adds to an event are accepted', async () => {
  const scene = await newScene()
  const { got, take } = collector()
  await scene.replica({ 'offers.revoked': take })
  await scene.publish(['offer_1'], 'revoked', { workspace_id: 'ws_1', color: 'red' })
  await waitUntil('the event', () => got.length === 1)
})

test('the event of a replica killed between handler and acknowledgement goes to another one', async () => {
  const scene = await newScene()
  await scene.publish(['offer_1'])
  expect(await scene.replicaThatCrashes()).toBe('offer_1')
  const { got, take } = collector()
  await scene.replica({ 'offers.created': take }, { ackSeconds: 1 })
  await waitUntil('it comes again', () => got.length > 0)
  expect(got).toEqual(['offer_1'])
})

test('an event that crashes every replica is parked without another attempt', async () => {
  const scene = await newScene()
  await scene.publish(['offer_1'])
  for (let attempt = 1; attempt <= 2; attempt++) await scene.replicaThatCrashes()
  const { got, take } = collector()
  await scene.replica({ 'offers.created': take }, { pauses: [0.05], ackSeconds: 1 })
  const operator = await scene.connect('backoffice')
  await waitUntil('it is parked', async () => (await listParked(operator)).length === 1)
  expect(await listParked(operator)).toMatchObject([
    { reason: 'Error: No attempt came to an end.', attempts: '3' },
  ])
  expect(got).toEqual([])
})

test('a failed event is tried again after a pause, and the others go on meanwhile', async () => {
  const scene = await newScene()
  const failed: string[] = []
  const got: string[] = []
  await scene.replica(
    {
      'offers.created': async ({ aggregate_id }, delivery) => {
        const { attempt } = delivery as { attempt: number }
        // One fails once, the next one twice.
        const fails = attempt <= ['offer_0', 'offer_1'].indexOf(aggregate_id) + 1
        if (fails) failed.push(`${aggregate_id} ${attempt}`)
        if (fails) throw new Error('Not now.')
        got.push(aggregate_id)
      },
    },
    { pauses: [0.05, 3600], places: 1 },
  )
  await scene.publish(names(20))
  await waitUntil('all but one', () => got.length === 19 && failed.length === 3)
  expect(failed.toSorted()).toEqual(['offer_0 1', 'offer_1 1', 'offer_1 2'])
  expect(got).not.toContain('offer_1')
  expect(await listParked(await scene.connect('backoffice'))).toEqual([])
})

test('a poison event is parked after its attempts and counted, the others go on, and the operator can redeliver it', async () => {
  const scene = await newScene()
  const { got, take } = collector()
  const { log, kept } = keepingLog()
  let fixed = false
  const { bus } = await scene.replica(
    {
      'offers.created': async event => {
        if (event.aggregate_id === 'offer_3' && !fixed) throw new Error('Too much\r\nto stomach.')
        await take(event)
      },
    },
    { log },
  )
  await scene.publish(names(10))
  const operator = await scene.connect('backoffice')
  await waitUntil('it is parked', async () => (await listParked(operator)).length === 1)
  await waitUntil('the rest', () => got.length === 9)
  const [parked] = await listParked(operator)
  expect(parked).toMatchObject({
    service: 'notes',
    type: 'offers.created',
    attempts: '3',
    reason: 'Error: Too much to stomach.',
  })
  expect(JSON.parse(parked?.body ?? '')).toMatchObject({ aggregate_id: 'offer_3' })
  expect(kept.filter(({ level }) => level === 'error')).toMatchObject([
    {
      message: 'an event is parked',
      fields: { parked: parked?.number, event: 'offers.created', attempts: 3 },
    },
  ])
  const metrics = await bus.metrics.text()
  expect(metrics).toContain('svc_events_consumed_total{event="offers.created",outcome="parked"} 1')
  expect(metrics).toContain('svc_events_consumed_total{event="offers.created",outcome="retried"} 2')
  expect(metrics).toContain('svc_events_consumed_total{event="offers.created",outcome="handled"} 9')

  fixed = true
  const number = parked?.number ?? 0
  expect(await redeliverAsOperator(operator, number)).toEqual({
    event_id: JSON.parse(parked?.body ?? '').id,
    service: 'notes',
    type: 'offers.created',
  })
  await waitUntil('it comes again', () => got.length === 10)
  expect(got.at(-1)).toBe('offer_3')
  expect(await listParked(operator)).toEqual([])
  await expect(redeliverAsOperator(operator, number)).rejects.toThrow('Nothing is parked')
})

test('an event that violates the contract is parked after one attempt', async () => {
  const scene = await newScene()
  const { got, take } = collector()
  await scene.replica({ 'offers.revoked': take })
  await scene.publish(['offer_1'], 'revoked', { workspace: 'ws_1' })
  await scene.publish(['offer_2'], 'revoked')
  const operator = await scene.connect('backoffice')
  await waitUntil('the rest', () => got.length === 1)
  await waitUntil('it is parked', async () => (await listParked(operator)).length === 1)
  expect(await listParked(operator)).toMatchObject([{ attempts: '1' }])
})

test('two replicas share the events: each goes to one of them', async () => {
  const scene = await newScene()
  const [one, other] = [collector(), collector()]
  await scene.replica({ 'offers.created': one.take })
  await scene.replica({ 'offers.created': other.take })
  await scene.publish(names(60))
  await waitUntil('all of them', () => one.got.length + other.got.length >= 60)
  expect([...one.got, ...other.got].sort()).toEqual(names(60).sort())
  expect(one.got.length).toBeGreaterThan(0)
  expect(other.got.length).toBeGreaterThan(0)
})

test('a drain finishes what is in progress and loses nothing: the other replica gets the rest meanwhile', async () => {
  const scene = await newScene()
  const gate = newGate()
  const [leaving, staying] = [collector(), collector()]
  const begun: string[] = []
  const first = await scene.replica({
    'offers.created': async event => {
      begun.push(event.aggregate_id)
      await gate.opened
      await leaving.take(event)
    },
  })
  await scene.publish(names(50))
  await waitUntil('its places are taken', () => begun.length === 8)
  const drained = first.drain()
  await scene.replica({ 'offers.created': staying.take })
  await waitUntil('the rest', () => staying.got.length === 42)
  expect(leaving.got).toEqual([])
  gate.open()
  await drained
  await first.bus.close()
  expect([...leaving.got, ...staying.got].sort()).toEqual(names(50).sort())
  expect(begun).toHaveLength(8)
})

test('a process handles as many events at once as it has slots, and all replicas together no more than may be unacknowledged', async () => {
  const scene = await newScene()
  const gate = newGate()
  let atOnce = 0
  const handlers = {
    'offers.created': async () => {
      atOnce++
      await gate.opened
    },
  }
  const settings = { places: 4, maxAckPending: 6 }
  await scene.replica(handlers, settings)
  await scene.publish(names(20))
  await waitUntil('its places are taken', () => atOnce === 4)
  await scene.replica(handlers, settings)
  await waitUntil('what is allowed', () => atOnce === 6)
  await scene.publish(names(5, 'more'))
  expect(atOnce).toBe(6)
  gate.open()
  await waitUntil('all of them', () => atOnce === 25)
})

test('after the loss and return of the server, consuming goes on and nothing is missing', async () => {
  const scene = await newScene()
  const { got, take } = collector()
  const { log, kept } = keepingLog()
  const { bus } = await scene.replica({ 'offers.created': take }, { log })
  await scene.publish(names(10))
  await waitUntil('the first', () => got.length === 10)
  await scene.nats.kill('SIGKILL')
  await waitUntil('the loss', () => !bus.connected)
  await scene.nats.restart()
  await waitUntil('the connection', () => bus.connected)
  await waitUntil('the next', async () => {
    await scene.publish(['offer_next']).catch(() => {})
    return got.includes('offer_next')
  })
  for (const name of names(10)) expect(got).toContain(name)
  expect(kept.filter(({ level }) => level === 'error')).toEqual([])
})

test('the consumer creates missing streams, and recreates lost ones', async () => {
  const scene = await newScene()
  await scene.nats.stop()
  await scene.nats.restart()
  const { got, take } = collector()
  const { log, kept } = keepingLog()
  const { bus } = await scene.replica({ 'offers.created': take }, { log })
  const again = async (name: string) => {
    if (!got.includes(name)) await scene.publish([name]).catch(() => {})
    return got.includes(name)
  }
  await waitUntil('the event', () => again('offer_1'))
  expect(kept).toEqual([])
  await scene.nats.stop()
  await waitUntil('the loss', () => !bus.connected)
  await scene.nats.restart()
  await waitUntil('the next event', () => again('offer_2'))
})

test('a consumer that the operator removed is recreated', async () => {
  const scene = await newScene()
  const { got, take } = collector()
  await scene.replica({ 'offers.created': take })
  await scene.publish(['offer_1'])
  await waitUntil('the first', () => got.length === 1)
  const { nc } = await scene.connect('backoffice')
  await nc.request('$JS.API.CONSUMER.DELETE.EVENTS.notes-offers-created', '', { timeout: 60_000 })
  await scene.publish(['offer_2'])
  await waitUntil('the next', () => got.includes('offer_2'))
})

test('a service consumes what the manifest says, and nothing else', async () => {
  const scene = await newScene()
  const { log, kept } = keepingLog()
  const { got, take } = collector()
  await scene.replica({ 'packages.created': take }, { log })
  await waitUntil('it is said', () => kept.some(({ message }) => message === 'events are not consumed now'))
  expect(got).toEqual([])
})
