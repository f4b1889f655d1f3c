import { ApiError } from '@svc/contract/core/errors'
import { service } from '@svc/contract/core/operation'
import { waitUntil } from '@svc/local/wait-until'
import { sized, unhurried } from '@svc/testing/size'
import { createInbox } from 'nats'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type CallBus, createCall } from '../src/call.ts'
import type { Bus } from '../src/connection.ts'
import { invoke } from '../src/invoke.ts'
import { serve } from '../src/serve.ts'
import { rawClient } from './raw-client.ts'
import { type TestBus, newGate, silent, startTestBus } from './test-bus.ts'

const internal = { credentials: [], workspace: false, roles: [] } as const
const input = z.strictObject({ n: z.int() })
const probe = service('offers', {
  echo: { summary: '', access: internal, body: input, output: input, errors: [] },
  wait: { summary: '', access: internal, body: input, output: input, errors: [] },
  read: { summary: '', access: internal, body: input, output: input, errors: [], safe: true },
  shed: { summary: '', access: internal, output: input, errors: [] },
})
const program = { kind: 'internal', id: 'test' } as const

/** Serves the probe. `wait` and `read` are answered when the test opens the gate with their number. */
async function serveProbe(on: Bus) {
  const executed: string[] = []
  const gates = new Map<number, ReturnType<typeof newGate>>()
  const gate = (n: number) => gates.get(n) ?? gates.set(n, newGate()).get(n) ?? newGate()
  const held = (name: string) => async (given: { body: { n: number } }) => {
    executed.push(`${name} ${given.body.n}`)
    await gate(given.body.n).opened
    return { body: given.body }
  }
  const served = await serve(on, probe, {
    log: silent,
    maxInFlight: 2000,
    deps: () => ({}),
    handlers: {
      echo: async ({ body }) => {
        executed.push(`echo ${body.n}`)
        return { body }
      },
      wait: held('wait'),
      read: held('read'),
      shed: async () => {
        throw new ApiError(
          'Unavailable',
          'later',
          { _tag: 'Unavailable' },
          { headers: { 'Retry-After': '7' } },
        )
      },
    },
  })
  const openAll = () => {
    for (const { open } of gates.values()) open()
  }
  return { executed, gate, openAll, served }
}

const ask = (
  call: CallBus,
  name: 'echo' | 'wait' | 'read',
  n: number,
  deadline = unhurried(),
): Promise<{ n: number }> => invoke(call, probe, name, { caller: program, body: { n }, deadline })

/** How a call ended, and when. */
async function outcome(asked: Promise<unknown>) {
  const error = await asked.then(
    () => undefined,
    reason => reason as ApiError,
  )
  return { tag: error?.tag ?? 'answered', error, at: Date.now() }
}

describe('with a service', () => {
  let bus: TestBus
  let call: CallBus
  let probing: Awaited<ReturnType<typeof serveProbe>>
  beforeAll(async () => {
    bus = await startTestBus()
    probing = await serveProbe(await bus.connect('offers'))
    call = createCall(await bus.connect('tests'))
  })
  afterAll(async () => {
    probing.openAll()
    await probing.served.drain()
    await bus.stop()
  })

  const many = sized(100, 1000)
  test(`${many} calls at once each get their own answer`, async () => {
    const numbers = Array.from({ length: many }, (_, n) => n)
    expect(await Promise.all(numbers.map(n => ask(call, 'echo', n)))).toEqual(numbers.map(n => ({ n })))
  })

  test('answers that arrive out of order reach their calls', async () => {
    const numbers = Array.from({ length: 20 }, (_, n) => 100 + n)
    const done: number[] = []
    const asked = numbers.map(async n => {
      done.push((await ask(call, 'wait', n)).n)
    })
    await waitUntil('all are in progress', () => probing.executed.includes('wait 119'))
    for (const [at, n] of numbers.toReversed().entries()) {
      probing.gate(n).open()
      await waitUntil(`answer ${n}`, () => done.length === at + 1, { everyMs: 1 })
    }
    await Promise.all(asked)
    expect(done).toEqual(numbers.toReversed())
  })

  test('a call without an answer ends with 504 at its deadline, is never repeated, and its late answer is ignored', async () => {
    let n = 1000
    // A call that reached the service too late was not executed.
    for (let budgetMs = 300; !probing.executed.includes(`wait ${n}`); budgetMs *= 2) {
      const deadline = Date.now() + budgetMs
      const { tag, error, at } = await outcome(ask(call, 'wait', ++n, deadline))
      expect(at).toBeGreaterThanOrEqual(deadline)
      if (probing.executed.includes(`wait ${n}`)) expect([tag, error?.status]).toEqual(['Timeout', 504])
    }
    probing.gate(n).open()
    expect(await ask(call, 'echo', 2)).toEqual({ n: 2 })
    expect(probing.executed.filter(name => name === `wait ${n}`)).toHaveLength(1)
  })

  test('a call whose deadline has passed is not sent, and answers 503', async () => {
    const { tag } = await outcome(ask(call, 'echo', 4711, Date.now()))
    expect(tag).toBe('Unavailable')
    await ask(call, 'echo', 4712)
    expect(probing.executed).not.toContain('echo 4711')
  })

  test('a message that is too large for the bus is refused with 413', async () => {
    const body = new Uint8Array(2 * 1024 * 1024)
    const asked = call({ subject: 'rpc.offers.echo', body, headers: {}, deadline: unhurried() })
    const { tag, error } = await outcome(asked)
    expect([tag, error?.status]).toEqual(['PayloadTooLarge', 413])
  })

  test('a refusal keeps its tag, body and Retry-After', async () => {
    const { error } = await outcome(invoke(call, probe, 'shed', { caller: program }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ tag: 'Unavailable', status: 503, headers: { 'Retry-After': '7' } })
  })

  test('an answer with malformed headers fails only its own call', async () => {
    const service = await rawClient(bus.nats.user('compute'))
    onTestFinished(() => service.close())
    service.send('SUB rpc.compute.broken compute 1')
    await service.said()
    const asked = outcome(
      call({
        subject: 'rpc.compute.broken',
        body: new Uint8Array(),
        headers: {},
        deadline: unhurried(),
      }),
    )
    let reply: string | undefined
    await waitUntil('the request', async () => {
      reply ??= (await service.said()).find(line => line.startsWith('HMSG'))?.split(' ')[3]
      return reply !== undefined
    })
    const hdr = 'NATS/1.0\r\nBad Name: x\r\n\r\n'
    service.send(`HPUB ${reply} ${hdr.length} ${hdr.length + 2}`, `${hdr}{}`)
    expect((await asked).tag).toBe('Internal')
    expect(await ask(call, 'echo', 3)).toEqual({ n: 3 })
  })

  test.each(['backoffice', 'monitor', 'offers', 'compute'] as const)(
    '%s cannot read answers that are meant for others',
    async user => {
      const other = await rawClient(bus.nats.user(user))
      onTestFinished(() => other.close())
      const inboxes = [
        '>',
        '_INBOX.>',
        '_INBOX.gateway.>',
        '_INBOX.tests.>',
        '_INBOX.tests.*.*',
        '_INBOX.*.*.*',
        '*.*.*.*',
      ]
      other.send(...inboxes.map((inbox, at) => `SUB ${inbox} ${at}`))
      const violations = (await other.said()).filter(line => /Permissions Violation/.test(line))
      expect(violations).toHaveLength(inboxes.length)
      await ask(call, 'echo', 4)
      expect(await other.said()).toEqual([])
    },
  )

  test('a program cannot choose an inbox outside its prefix', async () => {
    const monitor = await bus.connect('monitor')
    expect(createInbox('_INBOX.monitor')).not.toContain('gateway')
    const refused = new Promise(resolve =>
      monitor.nc.subscribe('_INBOX.gateway.mine', { callback: error => resolve(error?.message) }),
    )
    expect(await refused).toMatch(/Permissions Violation/)
  })
})

describe('without a service', () => {
  let bus: TestBus
  let call: CallBus
  beforeAll(async () => {
    bus = await startTestBus()
    call = createCall(await bus.connect('tests'))
  })
  afterAll(() => bus.stop())

  test('a call answers 503 with Retry-After once the window is over, and earlier if its deadline is', async () => {
    const began = performance.now()
    const ended: string[] = []
    const calls = Object.entries({ whole: unhurried(), short: Date.now() + 300 }).map(
      async ([name, deadline]) => {
        const { tag, error } = await outcome(ask(call, 'echo', 1, deadline))
        ended.push(name)
        return { tag, headers: error?.headers }
      },
    )
    const [whole] = await Promise.all(calls)
    expect(whole).toEqual({ tag: 'Unavailable', headers: { 'Retry-After': '1' } })
    expect(performance.now() - began).toBeGreaterThan(2000)
    expect(ended).toEqual(['short', 'whole'])
  })

  test('a replica that appears inside the window executes each call, once', async () => {
    const replica = await bus.connect('offers')
    const asked = Array.from({ length: 50 }, (_, n) => ask(call, 'echo', n))
    const { executed, served } = await serveProbe(replica)
    onTestFinished(() => served.drain())
    expect((await Promise.all(asked)).map(({ n }) => n)).toEqual(asked.map((_, n) => n))
    expect(executed.toSorted()).toEqual(asked.map((_, n) => `echo ${n}`).toSorted())
  })
})

test('after kill -9 of the bus calls in progress end, others are refused while it is gone, and they work again after its return', async () => {
  const bus = await startTestBus()
  onTestFinished(() => bus.stop())
  const service = await bus.connect('offers')
  const probing = await serveProbe(service)
  onTestFinished(() => probing.openAll())
  const gateway = await bus.connect('tests')
  const call = createCall(gateway)

  const underWay = [ask(call, 'read', 1), ask(call, 'wait', 2)].map(outcome)
  await waitUntil('both are in progress', () => probing.executed.length === 2)
  await bus.nats.kill('SIGKILL')
  const [read, wait] = await Promise.all(underWay)
  expect([read?.tag, wait?.tag]).toEqual(['Unavailable', 'Timeout'])

  for (let n = 0; n < 50; n++) {
    const { tag, error } = await outcome(ask(call, 'echo', 4711))
    expect([tag, error?.headers]).toEqual(['Unavailable', { 'Retry-After': '1' }])
  }
  expect(gateway.connected).toBe(false)

  await bus.nats.restart()
  await waitUntil('an answer', async () => (await outcome(ask(call, 'echo', 4))).tag === 'answered')
  expect((await Promise.all(Array.from({ length: 100 }, (_, n) => ask(call, 'echo', n)))).length).toBe(100)
  expect(probing.executed.filter(name => !name.startsWith('echo'))).toEqual(['read 1', 'wait 2'])
  expect(probing.executed).not.toContain('echo 4711')
})
