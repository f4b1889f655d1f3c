/** Events by durable consumers, on real servers. */
import { waitUntil } from '@svc/local/wait-until'
import { expect, test } from 'vitest'
import { listParked, redeliver } from '../../src/events/parked-events.ts'
import { newScene } from './consume-scene.ts'
import { keepingLog, newGate } from '../test-bus.ts'

const names = (count: number, prefix = 'offer') => Array.from({ length: count }, (_, at) => `${prefix}_${at}`)

/** A handler that keeps what it got. */
function collector() {
  const got: string[] = []
  return { got, take: async ({ aggregate_id }: { aggregate_id: string }) => void got.push(aggregate_id) }
}

test('each event comes to the handler of its type, with its data, also what came before the first consumer', async () => {
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

test('what a later release adds to an event is no reason to refuse it', async () => {
  const scene = await newScene()
  const { got, take } = collector()
  await scene.replica({ 'offers.revoked': take })
  await scene.publish(['offer_1'], 'revoked', { workspace_id: 'ws_1', color: 'red' })
  await waitUntil('the event', () => got.length === 1)
})

test('a replica that is killed between handler and acknowledgement: another one gets the event', async () => {
  const scene = await newScene()
  await scene.publish(['offer_1'])
  const crashing = await scene.replicaThatHangs()
  expect(crashing.has).toBe('offer_1')
  await crashing.kill()
  const { got, take } = collector()
  await scene.replica({ 'offers.created': take })
  await waitUntil('it comes again', () => got.length > 0)
  expect(got).toEqual(['offer_1'])
})

test('an event at which every replica ends is parked without another attempt', async () => {
  const scene = await newScene()
  await scene.publish(['offer_1'])
  for (let attempt = 1; attempt <= 2; attempt++) await (await scene.replicaThatHangs()).kill()
  const { got, take } = collector()
  await scene.replica({ 'offers.created': take }, { pauses: [0.05] })
  const operator = await scene.connect('backoffice')
  await waitUntil('it is parked', async () => (await listParked(operator)).length === 1)
  expect(await listParked(operator)).toMatchObject([
    { reason: 'Error: No attempt came to an end.', attempts: '3' },
  ])
  expect(got).toEqual([])
})

test('what fails is tried again after its pause, and the rest goes on meanwhile', async () => {
  const scene = await newScene()
  const attempts: number[] = []
  const got: string[] = []
  await scene.replica(
    {
      'offers.created': async ({ aggregate_id }, delivery) => {
        if (aggregate_id === 'offer_0') attempts.push((delivery as { attempt: number }).attempt)
        if (aggregate_id === 'offer_0' && attempts.length < 3) throw new Error('Not now.')
        got.push(aggregate_id)
      },
    },
    { pauses: [0.2, 0.2], places: 1 },
  )
  await scene.publish(names(20))
  await waitUntil('all of them', () => got.length === 20)
  expect(attempts).toEqual([1, 2, 3])
  expect(got.at(-1)).toBe('offer_0')
  expect(await listParked(await scene.connect('backoffice'))).toEqual([])
})

test('poison is parked after its attempts and counted, the rest goes on, and the operator has it delivered again', async () => {
  const scene = await newScene()
  const { got, take } = collector()
  const { log, kept } = keepingLog()
  let mended = false
  const { bus } = await scene.replica(
    {
      'offers.created': async event => {
        if (event.aggregate_id === 'offer_3' && !mended) throw new Error('Too much\r\nto stomach.')
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

  mended = true
  expect(await redeliver(operator, parked?.number ?? 0)).toEqual(parked)
  await waitUntil('it comes again', () => got.length === 10)
  expect(got.at(-1)).toBe('offer_3')
  expect(await listParked(operator)).toEqual([])
  expect(await redeliver(operator, parked?.number ?? 0)).toBeUndefined()
})

test('what is not as the contract says is parked at once', async () => {
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

test('two replicas share: each event comes to one of them', async () => {
  const scene = await newScene()
  const [one, other] = [collector(), collector()]
  await scene.replica({ 'offers.created': one.take })
  await scene.replica({ 'offers.created': other.take })
  await scene.publish(names(200))
  await waitUntil('all of them', () => one.got.length + other.got.length >= 200)
  expect([...one.got, ...other.got].sort()).toEqual(names(200).sort())
  expect(one.got.length).toBeGreaterThan(0)
  expect(other.got.length).toBeGreaterThan(0)
})

test('a drain finishes what is under way and loses nothing: the other replica has the rest at once', async () => {
  const scene = await newScene()
  const gate = newGate()
  const [leaving, staying] = [collector(), collector()]
  const begun: string[] = []
  const first = await scene.replica(
    {
      'offers.created': async event => {
        begun.push(event.aggregate_id)
        await gate.opened
        await leaving.take(event)
      },
    },
    { ackSeconds: 60 },
  )
  await scene.publish(names(50))
  await waitUntil('its places are taken', () => begun.length === 8)
  const drained = first.drain()
  await scene.replica({ 'offers.created': staying.take }, { ackSeconds: 60 })
  await waitUntil('the rest', () => staying.got.length === 42)
  expect(leaving.got).toEqual([])
  gate.open()
  await drained
  await first.bus.close()
  expect([...leaving.got, ...staying.got].sort()).toEqual(names(50).sort())
  expect(begun).toHaveLength(8)
})

test('a process has as many at once as it has places, and all replicas no more than is allowed unanswered', async () => {
  const scene = await newScene()
  const gate = newGate()
  let atOnce = 0
  const handlers = {
    'offers.created': async () => {
      atOnce++
      await gate.opened
    },
  }
  const settings = { ackSeconds: 60, places: 4, maxAckPending: 6 }
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

test('a server that is lost and comes back: consuming goes on, and nothing is missing', async () => {
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

test('where there are no streams the consumer makes them, and those that are lost with their events anew', async () => {
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

test('a consumer that the operator removed is made anew', async () => {
  const scene = await newScene()
  const { got, take } = collector()
  await scene.replica({ 'offers.created': take })
  await scene.publish(['offer_1'])
  await waitUntil('the first', () => got.length === 1)
  const { nc } = await scene.connect('backoffice')
  await nc.request('$JS.API.CONSUMER.DELETE.EVENTS.notes-offers-created', '', { timeout: 5000 })
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
