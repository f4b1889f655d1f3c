// leave-server.test.ts has services that leave and come back.
import { forFile } from '@svc/testing/for-file'
import { type NatsConnection, type NatsError, type Subscription, connect } from 'nats'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { leaveQueueGroups } from '../../src/nats-internals/queue-groups.ts'
import { startTestBus } from '../test-bus.ts'

const subject = 'rpc.offers.heard'
const scene = forFile(startTestBus)
let caller: NatsConnection

beforeAll(async () => {
  caller = await connected('tests')
})
afterAll(async () => {
  await caller?.close()
})

function connected(user: 'tests' | 'offers') {
  const { NATS_URL: servers, NATS_USER, NATS_PASSWORD: pass } = scene.nats.user(user)
  const reconnectTimeWait = 10
  return connect({ servers, user: NATS_USER, pass, inboxPrefix: `_INBOX.${user}`, reconnectTimeWait })
}

/** A connection that answers as a member of a queue group. */
async function answering() {
  const nc = await connected('offers')
  onTestFinished(() => nc.close())
  const subscription = nc.subscribe(subject, { queue: 'offers', callback: (_, msg) => msg.respond('here') })
  await nc.flush()
  return { nc, subscription }
}

const ask = () =>
  caller.request(subject, '', { timeout: 60_000 }).then(
    answer => answer.string(),
    (error: NatsError) => error.code,
  )
const nobody = '503'

async function reconnected(nc: NatsConnection) {
  const again = once(nc, 'reconnect')
  await nc.reconnect()
  await again
  await nc.flush()
}

async function once(nc: NatsConnection, wanted: string) {
  for await (const { type } of nc.status()) if (type === wanted) return
}

test.each<[string, (subscription: Subscription) => unknown]>([
  ['drain', subscription => subscription.drain()],
  ['unsubscribe', subscription => subscription.unsubscribe()],
])('%s of nats.js itself ends a subscription for good', async (_, end) => {
  const { nc, subscription } = await answering()
  expect(await ask()).toBe('here')
  await end(subscription)
  await nc.flush()
  expect(await ask()).toBe(nobody)
  await reconnected(nc)
  expect(await ask()).toBe(nobody)
  expect(subscription.isClosed()).toBe(true)
})

test('nats.js has no other way to end a subscription, and none to begin it again', async () => {
  const { nc, subscription } = await answering()
  expect(methodsOf(subscription)).toEqual([
    'callback',
    'cancelTimeout',
    'close',
    'drain',
    'getID',
    'getMax',
    'getSubject',
    'isClosed',
    'isDraining',
    'setPrePostHandlers',
    'unsubscribe',
  ])
  expect(methodsOf(nc).filter(name => /sub|queue|drain/i.test(name))).toEqual([
    '_resub',
    'drain',
    'isDraining',
    'subscribe',
  ])
})

const methodsOf = (one: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(one))
    .filter(name => name !== 'constructor')
    .sort()

test('a client that has left its queue groups is in them again at the next server', async () => {
  const { nc } = await answering()
  await leaveQueueGroups(nc)
  expect(await ask()).toBe(nobody)
  await reconnected(nc)
  expect(await ask()).toBe('here')
})

test('others take what arrives meanwhile, and subscriptions without a queue group stay', async () => {
  const { nc } = await answering()
  const other = await answering()
  // The server's answer that nobody is there arrives in an inbox.
  const request = () =>
    nc.request('rpc.auth-tokens.find_workspace', '', { timeout: 60_000 }).catch(({ code }) => code)
  expect(await request()).toBe(nobody)
  await leaveQueueGroups(nc)
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill('here'))
  expect(other.subscription.getReceived()).toBe(20)
  expect(await request()).toBe(nobody)
})
