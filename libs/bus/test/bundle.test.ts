// Calls that are made together: on a real server, with the permissions of the gateway and of offers.
import { maxBundled, service } from '@svc/contract/core/operation'
import { waitUntil } from '@svc/local/wait-until'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { headers } from 'nats'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { joinParts, maxPartBytes, splitParts } from '../src/bundle.ts'
import { type Answer, type CallBus, createCall } from '../src/call.ts'
import { headerBytes } from '../src/headers.ts'
import { serve } from '../src/serve.ts'
import { fakeScene } from './fake-servers.ts'
import { newGate, silent, startTestBus, type TestBus } from './test-bus.ts'

const internal = { credentials: [], workspace: false, roles: [] } as const
const text = z.strictObject({ text: z.string() })
const probe = service('offers', {
  create_offer: { summary: '', access: internal, body: text, output: text, errors: [], bundled: true },
})

let bus: TestBus
beforeAll(async () => (bus = await startTestBus()))
afterAll(() => bus.stop())

/** A replica whose calls with the text `wait` are answered when the gate is opened, and a caller with the gateway's rights. */
async function scene({ bundled = true } = {}) {
  const [on, caller, other] = await Promise.all([
    bus.connect('offers'),
    bus.connect('gateway'),
    bus.connect('tests'),
  ])
  const gate = newGate()
  const executed: string[] = []
  const { create_offer } = probe.operations
  const served = await serve(
    on,
    bundled ? probe : service('offers', { create_offer: { ...create_offer, bundled: undefined } }),
    {
      log: silent,
      deps: () => ({}),
      handlers: {
        create_offer: async ({ body }: { body: { text: string } }) => {
          executed.push(body.text)
          if (body.text === 'wait') await gate.opened
          return { body }
        },
      } as never,
    },
  )
  onTestFinished(async () => {
    gate.open()
    await served.drain()
  })
  const messages: { subject: string; bytes: number }[] = []
  const publish = caller.nc.publish.bind(caller.nc)
  caller.nc.publish = (subject, data, options) => {
    messages.push({ subject, bytes: data?.length ?? 0 })
    publish(subject, data, options)
  }
  const call = createCall(caller)
  const ask = (body: unknown, more: Partial<Parameters<CallBus>[0]> = {}) =>
    call({
      subject: 'rpc.offers.create_offer',
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      headers: { 'Svc-Caller': '{"kind":"internal","id":"test"}' },
      deadline: Date.now() + 5000,
      bundled: true,
      ...more,
    })
  return { ask, executed, gate, messages, other }
}

const textOf = ({ body }: Answer) => JSON.parse(Buffer.from(body).toString()).text
const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ text: `${n}` }))

test('calls of one turn go as one message, and each gets its own answer', async () => {
  const { ask, messages } = await scene()
  const answers = await Promise.all(numbered(10).map(body => ask(body)))
  expect(answers.map(textOf)).toEqual(numbered(10).map(({ text }) => text))
  expect(messages.map(({ subject }) => subject)).toEqual(['rpc.offers.create_offer-bundle'])
})

test('one call goes to the operation itself, as from any other program', async () => {
  const { ask, messages } = await scene()
  expect(textOf(await ask({ text: 'alone' }))).toBe('alone')
  expect(messages.map(({ subject }) => subject)).toEqual(['rpc.offers.create_offer'])
})

test('a bundle has no more calls than one replica should get', async () => {
  const { ask, messages, executed } = await scene()
  const calls = maxBundled * 3 + 1
  await Promise.all(numbered(calls).map(body => ask(body)))
  expect(executed).toHaveLength(calls)
  expect(messages).toHaveLength(4)
})

test('a large body goes alone, and bodies that are large together in several bundles', async () => {
  const { ask, messages } = await scene()
  const large = { text: 'x'.repeat(maxPartBytes) }
  const medium = { text: 'x'.repeat(maxPartBytes - 100) }
  await Promise.all([large, ...Array.from({ length: 20 }, () => medium)].map(body => ask(body)))
  const bundles = messages.filter(({ subject }) => subject.endsWith('-bundle'))
  expect(messages).toHaveLength(bundles.length + 1)
  expect(bundles.length).toBeGreaterThan(1)
  for (const { bytes } of bundles) expect(bytes).toBeLessThanOrEqual(128 * 1024)
})

test('refusals and slow calls are theirs alone', async () => {
  const { ask, gate } = await scene()
  const slow = ask({ text: 'wait' })
  const [bad, anonymous, late, good] = await Promise.allSettled([
    ask('{"text":'),
    ask({ text: 'whose' }, { headers: {} }),
    ask(
      { text: 'past' },
      { headers: { 'Svc-Caller': '{"kind":"internal","id":"test"}', 'Svc-Admitted-Until': '1' } },
    ),
    ask({ text: 'good' }),
  ])
  expect([bad, anonymous, late, good]).toMatchObject([
    { value: { status: 400 } },
    { value: { status: 401 } },
    { value: { status: 503 } },
    { value: { status: 200 } },
  ])
  gate.open()
  expect(textOf(await slow)).toBe('wait')
})

test('a deadline ends its own call', async () => {
  const { ask, gate } = await scene()
  const [slow, good] = await Promise.allSettled([
    ask({ text: 'wait' }, { deadline: Date.now() + 100 }),
    ask({ text: 'good' }),
  ])
  expect(slow).toMatchObject({ reason: { tag: 'Timeout' } })
  expect(good).toMatchObject({ value: { status: 200 } })
  gate.open()
})

test('replicas of a release that knows no bundles get the calls one by one, each once', async () => {
  const { ask, executed } = await scene({ bundled: false })
  const answers = await Promise.all(numbered(10).map(body => ask(body)))
  expect(answers.map(textOf)).toEqual(numbered(10).map(({ text }) => text))
  expect(executed.toSorted()).toEqual(numbered(10).map(({ text }) => text))
})

test('replicas share what comes in several bundles', async () => {
  const [one, other] = [await scene(), await scene()]
  const rounds = sized(40, 200)
  for (let round = 0; round < rounds; round++) await Promise.all(numbered(4).map(body => one.ask(body)))
  expect(one.executed.length + other.executed.length).toBe(rounds * 4)
  for (const { executed } of [one, other]) expect(executed.length).toBeGreaterThan(rounds / 2)
})

test.each([
  ['no sizes', undefined],
  ['sizes that are none', 'a+b'],
  ['sizes past its end', '10+10'],
  ['too many parts', Array.from({ length: maxBundled + 1 }, () => '0+0').join()],
])('a bundle with %s is refused, and the service goes on', async (_, sizes) => {
  const { ask, other, executed } = await scene()
  const fields = headers()
  if (sizes !== undefined) fields.set('Svc-Parts', sizes)
  const reply = await other.nc.request('rpc.offers.create_offer-bundle', Buffer.from('{}'), {
    headers: fields,
    timeout: 2000,
  })
  expect(reply.headers?.get('Svc-Status')).toBe('400')
  expect(executed).toEqual([])
  expect(textOf(await ask({ text: 'next' }))).toBe('next')
})

describe('replies', () => {
  /** Takes the next bundle in place of a service. */
  async function impostor(answer: (parts: number) => { fields: Record<string, string>; data?: Uint8Array }) {
    const { nc } = await bus.connect('offers')
    const caller = await bus.connect('gateway')
    const subscription = nc.subscribe('rpc.offers.create_offer-bundle', {
      queue: 'offers',
      callback: (_, msg) => {
        const { fields, data } = answer(msg.headers?.get('Svc-Parts').split(',').length ?? 0)
        const all = headers()
        for (const [name, value] of Object.entries(fields)) all.set(name, value)
        msg.respond(data, { headers: all })
      },
    })
    onTestFinished(() => subscription.unsubscribe())
    await nc.flush()
    const call = createCall(caller)
    return (n: number) =>
      call({
        subject: 'rpc.offers.create_offer',
        body: Buffer.from(`${n}`),
        headers: {},
        deadline: Date.now() + 5000,
        bundled: true,
      })
  }

  test.each([
    ['that name calls that there were not', { 'Svc-Answers': '7', 'Svc-Parts': '0+0' }],
    ['that do not say what they answer', { 'Svc-Answers': '0,1', 'Svc-Parts': '0+0' }],
    ['whose sizes are wrong', { 'Svc-Answers': '0', 'Svc-Parts': '0+9' }],
  ])('%s fail the calls of their bundle, and no others', async (_, fields) => {
    const ask = await impostor(() => ({ fields }))
    const outcomes = await Promise.allSettled([ask(0), ask(1)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  test('one answer for all, as of a service that can read none of them, is the answer of each', async () => {
    const ask = await impostor(() => ({ fields: { 'Svc-Status': '400' } }))
    expect(await Promise.all([ask(0), ask(1)])).toMatchObject([{ status: 400 }, { status: 400 }])
  })

  test('a part with malformed headers fails its own call', async () => {
    const good = headerBytes({ 'Svc-Status': '200' })
    const { sizes, data } = joinParts([
      { headers: Buffer.from('NATS/1.0\r\nno colon\r\n\r\n'), body: Buffer.from('a') },
      { headers: good, body: Buffer.from('b') },
    ])
    const ask = await impostor(() => ({ fields: { 'Svc-Answers': '0,1', 'Svc-Parts': sizes }, data }))
    const outcomes = await Promise.allSettled([ask(0), ask(1)])
    expect(outcomes).toMatchObject([{ reason: { tag: 'Internal' } }, { value: { status: 200 } }])
  })
})

describe('a connection that is lost', () => {
  const call = (make: CallBus) =>
    make({
      subject: 'rpc.offers.create_offer',
      body: Buffer.from('{}'),
      headers: {},
      deadline: Date.now() + 5000,
      bundled: true,
    })

  test('ends calls that were sent together, whose outcome nobody knows', async () => {
    const { bus: lost, from } = await fakeScene()
    const make = createCall(lost)
    const calls = Promise.allSettled([call(make), call(make)])
    await waitUntil('the bundle', () => from.published.some(({ subject }) => subject.endsWith('-bundle')))
    for (const client of from.clients) client.destroy()
    expect(await calls).toMatchObject([{ reason: { tag: 'Timeout' } }, { reason: { tag: 'Timeout' } }])
  })

  test('in the turn in which they were made sends none of them', async () => {
    const { bus: lost, from } = await fakeScene()
    let connected = true
    const losing = Object.defineProperty(Object.create(lost), 'connected', { get: () => connected })
    const make = createCall(losing)
    const calls = Promise.allSettled([call(make), call(make)])
    connected = false
    const unavailable = { reason: { tag: 'Unavailable' } }
    expect(await calls).toMatchObject([unavailable, unavailable])
    expect(from.published.filter(({ subject }) => subject.startsWith('rpc.'))).toEqual([])
  })
})

test('parts come out as they went in', () => {
  const fields = fc.dictionary(fc.stringMatching(/^[A-Za-z-]{1,20}$/), fc.stringMatching(/^[ -~]{0,50}$/))
  const part = fc.record({ fields, body: fc.uint8Array({ maxLength: 300 }) })
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: maxBundled }), parts => {
      const { sizes, data } = joinParts(
        parts.map(one => ({ headers: headerBytes(one.fields), body: one.body })),
      )
      const received = splitParts(sizes, data, maxBundled)
      expect(received.map(one => one.data)).toEqual(parts.map(one => Buffer.from(one.body)))
      for (const [at, one] of received.entries()) {
        for (const [name, value] of Object.entries(parts[at]?.fields ?? {}))
          expect(one.headers().get(name)).toBe(value.trim())
      }
    }),
    { numRuns: sized(100, 5000) },
  )
})

test('what is no bundle is refused', () => {
  expect(() => splitParts('', new Uint8Array(), maxBundled)).toThrow()
  expect(() => splitParts('1+1', new Uint8Array(1), maxBundled)).toThrow()
  expect(() => splitParts('0+0,0+0', new Uint8Array(), 1)).toThrow('too many parts')
})
