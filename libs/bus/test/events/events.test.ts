/** The stream of events, on real servers in every state. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scaled } from '@svc/contract/core/deadline-scale'
import { startNats } from '@svc/local/servers/embedded-nats'
import { repoRoot } from '@svc/local/repo-root'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { onOwnClock } from '@svc/testing/own-clock'
import { patient } from '@svc/testing/read-events'
import { AckPolicy } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { type Bus, connectBus } from '../../src/connection.ts'
import { type EventStream, openEventStream, type Outcome, type StreamEvent } from '../../src/events/events.ts'
import { keepingLog, silent, startTestBus } from '../test-bus.ts'

const config = { EVENTS_MAX_AGE_DAYS: 7, EVENTS_MAX_BYTES: 2 ** 30, EVENTS_REPLICAS: 1 }
const nanoseconds = 1_000_000_000

async function newBus() {
  const bus = await startTestBus()
  onTestFinished(() => bus.stop())
  return bus
}

/** By default about an offer. The stream does not read the id, so any prefix will do. */
const newEvent = (subject = 'events.offers.created', body = '{}') => ({
  id: newId('msg'),
  subject,
  body,
  cursor: 'cDE',
})
/** Publishes an event by itself. */
const oneByOne =
  (stream: EventStream) =>
  async (event: StreamEvent): Promise<Outcome | undefined> =>
    (await stream.publish([event]))[0]

async function streamOf(reader: Bus) {
  const manager = await reader.nc.jetstreamManager(patient)
  const { config, state } = await manager.streams.info('EVENTS')
  return { config, messages: state.messages }
}

/** As an operator creates it before the product starts. */
async function makeStream(bus: Bus, settings: object) {
  const wanted = JSON.stringify({ name: 'EVENTS', subjects: ['events.>'], storage: 'file', ...settings })
  const reply = await bus.nc.request('$JS.API.STREAM.CREATE.EVENTS', wanted, { timeout: 60_000 })
  expect(reply.json()).not.toHaveProperty('error')
}

/** As an operator's program with its own durable consumer, which acknowledges. */
async function take({ nc }: Bus, max_messages: number) {
  const ids: string[] = []
  const settings = { filter_subject: 'events.offers.>', ack_policy: AckPolicy.Explicit }
  await (await nc.jetstreamManager(patient)).consumers.add('EVENTS', {
    durable_name: 'billing',
    ...settings,
  })
  const consumer = await nc.jetstream(patient).consumers.get('EVENTS', 'billing')
  for await (const message of await consumer.fetch({ max_messages, expires: 300_000 })) {
    expect(await message.ackAck()).toBe(true)
    ids.push(message.headers?.get('Nats-Msg-Id') ?? '')
  }
  return ids
}

test('replicas that start at once create one stream, as documented', async () => {
  const { connect } = await newBus()
  const { log, kept } = keepingLog()
  const subjects = ['events.offers.created', 'events.members.added', 'events.compute_settings.updated']
  const stored = await Promise.all(
    Array.from({ length: 9 }, async (_, at) => {
      const stream = openEventStream(await connect('activity'), config, log)
      return oneByOne(stream)(newEvent(subjects[at % 3]))
    }),
  )
  expect(stored).toEqual(Array(9).fill('stored'))
  expect(kept).toEqual([])
  const { config: made, messages } = await streamOf(await connect('backoffice'))
  expect(messages).toBe(9)
  expect(made).toMatchObject({
    subjects: ['events.>'],
    storage: 'file',
    retention: 'limits',
    max_age: 7 * 86_400 * nanoseconds,
    duplicate_window: 120 * nanoseconds,
  })
})

test('an event that is published many times is stored once, even across a restart of the server', async () => {
  const { nats, connect } = await newBus()
  const bus = await connect('activity')
  const publish = oneByOne(openEventStream(bus, config, silent))
  const event = newEvent()
  expect(await Promise.all(Array.from({ length: 50 }, () => publish(event)))).toEqual(
    Array(50).fill('stored'),
  )
  await nats.kill('SIGKILL')
  await waitUntil('the loss', () => !bus.connected)
  await nats.restart()
  await waitUntil('the connection', () => bus.connected)
  expect(await publish(event)).toBe('stored')
  expect((await streamOf(await connect('backoffice'))).messages).toBe(1)
})

test('a lost stream is recreated by the next event', async () => {
  const { nats, connect } = await newBus()
  const bus = await connect('activity')
  const publish = oneByOne(openEventStream(bus, config, silent))
  await publish(newEvent())
  // Its folder is removed with it.
  await nats.stop()
  await nats.restart()
  await waitUntil('the connection', () => bus.connected)
  const events = Array.from({ length: 20 }, () => newEvent())
  expect(await Promise.all(events.map(publish))).toEqual(Array(20).fill('stored'))
  expect((await streamOf(await connect('backoffice'))).messages).toBe(20)
})

test('a lost stream is recreated where somebody listens to its subjects without it', async () => {
  const { nats, connect } = await newBus()
  const bus = await connect('activity')
  const publish = oneByOne(openEventStream(bus, config, silent))
  await publish(newEvent())
  const listener = await connect('tests')
  listener.nc.subscribe('events.>')
  await nats.stop()
  await nats.restart()
  await waitUntil('the connections', () => bus.connected && listener.connected)
  await listener.nc.flush()
  const event = newEvent()
  await onOwnClock(async clock => {
    const answer = expect(publish(event)).rejects.toMatchObject({ code: 'TIMEOUT' })
    clock.tick(scaled(3000))
    await answer
  })
  const reader = await connect('backoffice')
  await waitUntil('the stream', async () => (await streamOf(reader)).messages === 0)
  expect(await publish(event)).toBe('stored')
  expect((await streamOf(reader)).messages).toBe(1)
})

test('without JetStream nothing is stored; once it is there, everything is', async () => {
  const secrets = newSecrets()
  const { nats: passwords } = secrets
  const storeDir = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  onTestFinished(() => rm(storeDir, { recursive: true, force: true }))
  const options = { configFile: join(repoRoot, 'deploy/nats/nats.conf'), env: natsEnv(secrets) }
  const without = await startNats(options)
  onTestFinished(() => without.stop())
  const { log, kept } = keepingLog()
  const access = { NATS_URL: without.url, NATS_USER: 'activity', NATS_PASSWORD: passwords.activity }
  const bus = await connectBus(access, silent)
  onTestFinished(() => bus.close())
  const publish = oneByOne(openEventStream(bus, config, log))
  const event = newEvent()
  await expect(publish(event)).rejects.toMatchObject({ code: '503' })
  await waitUntil('the report', () => kept.length > 0)
  expect(kept).toMatchObject([{ level: 'warn', message: 'event stream not available yet' }])
  await without.stop()
  await expect(publish(event)).rejects.toThrow()
  const with_ = await startNats({ ...options, storeDir, port: without.port })
  onTestFinished(() => with_.stop())
  await waitUntil('the connection', () => bus.connected)
  expect(await publish(event)).toBe('stored')
})

test('an event that is too large for the bus is refused, and others are stored', async () => {
  const { connect } = await newBus()
  const publish = oneByOne(openEventStream(await connect('activity'), config, silent))
  const poison = newEvent('events.offers.created', 'x'.repeat(1_048_576))
  const answers = await Promise.all([newEvent(), poison, newEvent(), poison, newEvent()].map(publish))
  expect(answers).toEqual(['stored', 'refused', 'stored', 'refused', 'stored'])
  expect((await streamOf(await connect('backoffice'))).messages).toBe(3)
})

test('an event that the user may not publish is no event that the stream refuses', async () => {
  const { connect } = await newBus()
  const publish = oneByOne(openEventStream(await connect('offers'), config, silent))
  await expect(publish(newEvent())).rejects.toThrow(
    'The user of the bus may not publish events.offers.created.',
  )
})

test('events that are published at once are stored in their order, with their cursors', async () => {
  const { connect } = await newBus()
  const { publish } = openEventStream(await connect('activity'), config, silent)
  const events = Array.from({ length: 500 }, (_, at) => ({ ...newEvent(), cursor: `c${at}` }))
  const [first, ...others] = events as [StreamEvent, ...StreamEvent[]]
  // If the stream came into being between two of them, the later ones would be left to another attempt.
  expect(await publish([first])).toEqual(['stored'])
  expect(await publish(others)).toEqual(Array(499).fill('stored'))
  // Those that are there already hold up nothing.
  expect(await publish([...events.slice(-3), newEvent()])).toEqual(Array(4).fill('stored'))
  const { nc } = await connect('backoffice')
  const consumer = await nc.jetstream(patient).consumers.get('EVENTS')
  const cursors: (string | undefined)[] = []
  for await (const { headers } of await consumer.fetch({ max_messages: 501, expires: 60_000 }))
    cursors.push(headers?.get('Svc-Cursor'))
  expect(cursors).toEqual([...events.map(({ cursor }) => cursor), 'cDE'])
})

test('events that follow one which is not stored are not stored before it', async () => {
  const { connect } = await newBus()
  const { publish } = openEventStream(await connect('activity'), config, silent)
  const [first, poison, ...others] = Array.from({ length: 5 }, () => newEvent()) as [StreamEvent, StreamEvent]
  const large = { ...poison, body: 'x'.repeat(1_048_576) }
  expect(await publish([first, large, ...others])).toEqual(['stored', 'refused'])
  expect((await streamOf(await connect('backoffice'))).messages).toBe(1)
  expect(await publish(others)).toEqual(Array(3).fill('stored'))
})

test('an event that is too large for the stream is refused', async () => {
  const { connect } = await newBus()
  const bus = await connect('activity')
  await makeStream(bus, { max_msg_size: 1000 })
  const publish = oneByOne(openEventStream(bus, config, silent))
  expect(await publish(newEvent('events.offers.created', 'x'.repeat(2000)))).toBe('refused')
  expect(await publish(newEvent())).toBe('stored')
})

test('an operator’s stream stays as it is; while it is full, events wait', async () => {
  const { connect } = await newBus()
  const bus = await connect('activity')
  const reader = await connect('backoffice')
  // What is acknowledged leaves it.
  await makeStream(bus, { max_msgs: 1, discard: 'new', retention: 'workqueue', max_age: 3600 * nanoseconds })
  const { config: before } = await streamOf(reader)
  const { log, kept } = keepingLog()
  const publish = oneByOne(openEventStream(bus, config, log))
  expect(await publish(newEvent())).toBe('stored')
  const late = newEvent()
  await expect(publish(late)).rejects.toThrow(/maximum messages exceeded/)
  expect(await take(reader, 1)).toHaveLength(1)
  await waitUntil('room', async () => (await streamOf(reader)).messages === 0)
  expect(await publish(late)).toBe('stored')
  expect((await streamOf(reader)).config).toEqual(before)
  expect(kept).toEqual([])
})

test('with a frozen server publishing fails, and nothing is stored twice', async () => {
  const { nats, connect } = await newBus()
  const publish = oneByOne(openEventStream(await connect('activity'), config, silent))
  const event = newEvent()
  await onOwnClock(async clock => {
    await publish(newEvent())
    await nats.kill('SIGSTOP')
    const answer = expect(publish(event)).rejects.toMatchObject({ code: 'TIMEOUT' })
    clock.tick(scaled(3000))
    await answer
  })
  await nats.kill('SIGCONT')
  await waitUntil('it is stored', async () => (await publish(event).catch(() => '')) === 'stored')
  expect((await streamOf(await connect('backoffice'))).messages).toBe(2)
})

test('an event on its way when the connection is lost fails as not connected, and so do later ones', async () => {
  const { nats, connect } = await newBus()
  const bus = await connect('activity')
  // Its time does not pass.
  await onOwnClock(async () => {
    const publish = oneByOne(openEventStream(bus, config, silent))
    await publish(newEvent())
    await nats.kill('SIGSTOP')
    const answer = publish(newEvent())
    await nats.kill('SIGKILL')
    await expect(answer).rejects.toThrow(/not connected/)
    await expect(publish(newEvent())).rejects.toThrow(/not connected/)
  })
})

test('an operator’s stream without the subject of an event stores it once it has the subject', async () => {
  const { connect } = await newBus()
  const bus = await connect('activity')
  await makeStream(bus, { subjects: ['events.members.*'] })
  const publish = oneByOne(openEventStream(bus, config, silent))
  await expect(publish(newEvent())).rejects.toMatchObject({ code: '503' })
  expect(await publish(newEvent('events.members.added'))).toBe('stored')
})

test('an operator’s program with its own durable consumer does not receive acknowledged events again', async () => {
  const { connect } = await newBus()
  const publish = oneByOne(openEventStream(await connect('activity'), config, silent))
  const events = Array.from({ length: 4 }, () => newEvent())
  for (const event of [...events, newEvent('events.members.added')]) await publish(event)
  const operator = await connect('backoffice')
  const manager = await operator.nc.jetstreamManager(patient)
  const ids = events.map(({ id }) => id)
  expect(await take(operator, 3)).toEqual(ids.slice(0, 3))
  expect(await take(operator, 1)).toEqual(ids.slice(3))
  expect((await manager.consumers.info('EVENTS', 'billing')).num_pending).toBe(0)
  expect(await manager.consumers.delete('EVENTS', 'billing')).toBe(true)
})
