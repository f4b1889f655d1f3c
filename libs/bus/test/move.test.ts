/** What can go wrong, or be in progress, while a connection moves to another server. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { repoRoot } from '@svc/local/repo-root'
import { waitUntil } from '@svc/local/wait-until'
import { onOwnClock } from '@svc/testing/own-clock'
import { unhurried } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { createCall } from '../src/call.ts'
import { openEventStream } from '../src/events/events.ts'
import { arrival, maxLeaveMs, untilNone } from '../src/leave-server.ts'
import { sendNotice } from '../src/notices.ts'
import { defaultBudgetMs } from '../src/wire.ts'
import { fakeScene } from './fake-servers.ts'
import { silent } from './test-bus.ts'

const request = () => ({
  subject: 'rpc.offers.echo',
  body: new Uint8Array(),
  headers: {},
  deadline: unhurried(),
})
const calls = ({ published }: { published: readonly { subject: string }[] }) =>
  published.filter(({ subject }) => subject.startsWith('rpc.')).length
/** Longer than a move may take, which is counted in ticks of this length as well. */
const aWhile = async () => {
  for (let tick = 0; tick < 12; tick++) await delay(100)
}

test('a next server that refuses the first attempt causes no loss, then or later', async () => {
  const { bus, changes, disconnects, from, to } = await fakeScene()
  const call = createCall(bus)
  to.welcomes.push('refuse')
  from.lameDuck()
  await waitUntil('the move', () => changes.length > 0)
  expect(to.clients.length).toBe(2)
  await aWhile()
  expect(bus.connected).toBe(true)
  expect(changes).toEqual([true])
  expect(await disconnects()).toBe(0)
  const answered = call(request())
  await waitUntil('the call', () => calls(to) === 1)
  to.answer(to.published.at(-1)?.reply ?? '', '{}')
  expect(await answered).toMatchObject({ status: 200 })
})

test('a next server that does not answer counts as a loss, until one does', async () => {
  const { bus, changes, disconnects, from, to } = await fakeScene()
  const call = createCall(bus)
  to.welcomes.push(...Array<'ignore'>(1000).fill('ignore'))
  from.lameDuck()
  await waitUntil('the move', () => bus.arriving !== undefined, { everyMs: 1 })
  const { losses } = bus
  await expect(call(request())).rejects.toMatchObject({ tag: 'Unavailable' })
  expect(changes).toEqual([false])
  expect(bus.losses).toBeGreaterThan(losses)
  to.welcomes.length = 0
  await waitUntil('its return', () => bus.connected)
  expect(changes).toEqual([false, true])
  expect(await disconnects()).toBe(1)
})

test('a client that is disconnected while leaving loses the connection once', async () => {
  const { bus, changes, disconnects, from, to } = await fakeScene()
  const call = createCall(bus)
  const steps: AbortSignal[] = []
  bus.onLeave(arrived => {
    steps.push(arrived)
    from.clients.at(-1)?.destroy()
    return arrival(arrived)
  })
  const under = call(request())
  await waitUntil('the call', () => calls(from) === 1)
  from.lameDuck()
  await expect(under).rejects.toMatchObject({ tag: 'Timeout' })
  await waitUntil('its return', () => bus.connected)
  expect(steps[0]?.aborted).toBe(true)
  await aWhile()
  expect(changes).toEqual([false, true])
  expect(to.clients.length).toBe(1)
  expect(await disconnects()).toBe(1)
})

test('a call that is not answered in time does not hold up the move, and its answer arrives at the next server', async () => {
  const { bus, changes, from, to } = await fakeScene()
  const call = createCall(bus)
  const slow = call(request())
  await waitUntil('the call', () => calls(from) === 1)
  from.lameDuck()
  await waitUntil('the leaving', () => Number(from.clients.length) === 1 && bus.nc.info?.ldm === true)
  const next = call(request())
  await waitUntil('the next call', () => calls(to) === 1)
  expect(calls(from)).toBe(1)
  for (const { reply } of [...from.published, ...to.published]) if (reply) to.answer(reply, '{}')
  expect(await Promise.all([slow, next])).toMatchObject([{ status: 200 }, { status: 200 }])
  expect(changes).toEqual([true])
})

test('events and notices wait for the next server', async () => {
  const { bus, from, to } = await fakeScene()
  const config = { EVENTS_MAX_AGE_DAYS: 1, EVENTS_MAX_BYTES: 2 ** 20, EVENTS_REPLICAS: 1 }
  const stream = openEventStream(bus, config, silent)
  const event = (id: string) => ({ id, subject: `events.things.${id}`, body: '{}', cursor: 'cDE' })
  const said = ({ published }: typeof to) =>
    published.map(({ subject }) => subject).filter(subject => /^(events|notices)\./.test(subject))
  const first = stream.publish([event('first')])
  await waitUntil('the first', () => said(from).length === 1)
  let leaving = false
  // Sent after that of the events.
  bus.onLeave(async () => {
    leaving = true
  })
  from.lameDuck()
  await waitUntil('the leaving', () => leaving, { everyMs: 1 })
  await new Promise(resolve => setImmediate(resolve))
  const second = stream.publish([event('second')])
  from.deaf = true
  for (const { subject, reply } of from.published)
    if (subject.startsWith('events.')) from.answer(reply, '{"stream":"EVENTS"}')
  expect(await first).toEqual(['stored'])
  await waitUntil('the gap', () => bus.arriving !== undefined, { everyMs: 1 })
  sendNotice(bus, 'notices.compute_settings.one')
  await waitUntil('both', () => said(to).length === 2)
  expect(said(to).sort()).toEqual(['events.things.second', 'notices.compute_settings.one'])
  expect(said(from)).toEqual(['events.things.first'])
  for (const { subject, reply } of to.published)
    if (subject.startsWith('events.')) to.answer(reply, '{"stream":"EVENTS"}')
  expect(await second).toEqual(['stored'])
})

test.each<[string, (arrived: AbortController, pass: (ms: number) => void) => void]>([
  ['when the connection is another one', arrived => arrived.abort()],
  ['after its time', (_arrived, pass) => pass(50)],
])('the move no longer waits for calls in progress %s', (_when, end) =>
  onOwnClock(async clock => {
    const arrived = new AbortController()
    let looks = 0
    const underWay = () => {
      if (++looks === 4) end(arrived, ms => clock.tick(ms))
      return 1
    }
    await untilNone(underWay, arrived.signal, 50)
    expect(looks).toBe(4)
  }),
)

test('a server that shuts down waits longer than its clients need, and is given the time to do so', async () => {
  const production = join(repoRoot, 'deploy/kubernetes/overlays/production')
  const seconds = async (file: string, key: string) => {
    const text = await readFile(join(production, file), 'utf8')
    return Number(new RegExp(`^ *${key}: "?(\\d+)s?"?$`, 'm').exec(text)?.[1])
  }
  const grace = await seconds('cluster.conf', 'lame_duck_grace_period')
  const duration = await seconds('cluster.conf', 'lame_duck_duration')
  // Tests lengthen the budget of a call.
  expect(grace * 1000).toBeGreaterThan(maxLeaveMs - defaultBudgetMs + 5000)
  expect(duration).toBeGreaterThan(grace)
  expect(await seconds('nats.yaml', 'terminationGracePeriodSeconds')).toBeGreaterThan(duration)
})
