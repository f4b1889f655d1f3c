import { waitUntil } from '@svc/local/wait-until'
import { amountIn } from '@svc/testing/deploy/exposition'
import { sized, unhurried } from '@svc/testing/size'
import { service } from '@svc/contract/core/operation'
import { headers as busHeaders } from 'nats'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCall } from '../src/call.ts'
import {
  asProgram,
  ask,
  bus,
  caller,
  executed,
  faults,
  gate,
  maxInFlight,
  probe,
  probeScene,
  serveProbe,
  served,
  serving,
  statusOf,
  stillServes,
  text8,
} from './probe-scene.ts'
import { serve } from '../src/serve.ts'
import { newGate, startTestBus } from './test-bus.ts'

probeScene()

describe('answers', () => {
  test.each(['throw_at_once', 'throw_later'])('a handler that fails (%s) answers 500', async name => {
    const reply = await ask(name)
    expect(statusOf(reply)).toBe(500)
    expect(reply.json()).toMatchObject({ _tag: 'Internal', success: false, errors: [{ code: 50001 }] })
    expect(reply.string()).not.toContain('secret of the handler')
    expect(faults.kept).toMatchObject([
      { level: 'error', fields: { operation: name, err: { message: 'secret of the handler' } } },
    ])
    await stillServes()
  })

  test.each([
    ['key_reused', 409, 'Conflict'],
    ['not_found', 404, 'NotFound'],
    ['unavailable', 503, 'Unavailable'],
    ['timeout', 504, 'Timeout'],
  ])('a refusal (%s) answers with its status, tag and the headers of ADR-32', async (code, status, tag) => {
    const reply = await ask('refuse', { body: { code } })
    expect(reply.headers?.get('Svc-Status')).toBe(String(status))
    expect(reply.headers?.get('Nats-Service-Error-Code')).toBe(String(status))
    expect(reply.headers?.get('Nats-Service-Error')).toBe(tag)
    expect(reply.headers?.get('Retry-After')).toBe(status === 503 ? '1' : '')
    expect(reply.json()).toMatchObject({
      _tag: tag,
      errors: [{ metadata: { hint: 'as the handler said' } }],
      result: {},
    })
    expect(faults.kept).toEqual([])
  })

  test('an unknown outcome of an operation that may be repeated answers 503', async () => {
    const reply = await ask('lose')
    expect(statusOf(reply)).toBe(503)
    expect(reply.headers?.get('Retry-After')).toBe('1')
  })

  test('a success answers with the declared status and headers, and no error headers', async () => {
    const reply = await ask('created')
    expect(statusOf(reply)).toBe(201)
    expect(reply.headers?.get('ETag')).toBe('"7"')
    expect(reply.headers?.has('Nats-Service-Error')).toBe(false)
    expect(reply.headers?.has('Nats-Service-Error-Code')).toBe(false)
  })

  test('an operation without output answers without a body', async () => {
    const reply = await ask('answer_nothing')
    expect([statusOf(reply), reply.data.length]).toEqual([200, 0])
  })

  test.each([
    ['answer_wrongly', /^An answer breaks its contract: Answer wrongly\.\n.*→ at text/s],
    ['answer_more', /^An answer has fields that its contract does not name: Answer more\.$/],
  ])('in tests an answer that violates the contract is an internal error: %s', async (name, message) => {
    expect(statusOf(await ask(name))).toBe(500)
    expect(faults.kept).toMatchObject([{ fields: { err: { message: expect.stringMatching(message) } } }])
  })

  test('an answer that is too large for the bus is reported as an internal error', async () => {
    const reply = await ask('answer_too_much')
    expect(statusOf(reply)).toBe(500)
    expect(faults.kept).toMatchObject([{ level: 'error', fields: { operation: 'answer_too_much' } }])
    await stillServes()
  })
})

describe('deadlines and load', () => {
  test('a call that arrives after its deadline is dropped, not executed, and counted', async () => {
    const monitor = await bus.connect('monitor')
    const headers = busHeaders()
    headers.set('Svc-Caller', JSON.stringify(asProgram))
    headers.set('Svc-Deadline', String(Date.now() - 1))
    for (let n = 0; n < 5; n++) caller.nc.publish('rpc.offers.echo', '{"text":"late"}', { headers })
    await stillServes()
    expect(executed).toEqual(['echo'])
    const stats = (await monitor.nc.request('$SRV.STATS.offers', '', { timeout: 300_000 })).json<{
      endpoints: { data: object }[]
    }>()
    expect(stats.endpoints[0]?.data).toEqual({ requests: 1, errors: 0, dropped: 5, shed: 0, in_flight: 0 })
    expect(await amountIn(serving.metrics, 'svc_deadline_drops_total', { at: 'bus' })).toBe(5)
  })

  test('past the bound on calls in progress the answer is 503 while they go on, and below it calls are served', async () => {
    const held = Array.from({ length: maxInFlight }, () => ask('wait'))
    await waitUntil('all places taken', () => executed.length === maxInFlight)
    const refused = await ask('echo', { body: { text: 'a' } })
    expect(statusOf(refused)).toBe(503)
    expect(refused.headers?.get('Retry-After')).toBe('1')
    expect(refused.json()).toMatchObject({ _tag: 'Unavailable', errors: [{ code: 50302 }] })
    expect(executed).not.toContain('echo')
    expect(await amountIn(serving.metrics, 'svc_operations_in_flight')).toBe(maxInFlight)
    expect(await amountIn(serving.metrics, 'svc_shed_total', { at: 'bus' })).toBe(1)
    gate.open()
    expect((await Promise.all(held)).map(statusOf)).toEqual([200, 200, 200, 200])
    await stillServes()
  })
})

describe('replicas', () => {
  const echo = { subject: 'rpc.offers.echo', headers: { 'Svc-Caller': JSON.stringify(asProgram) } }
  const callEcho = (call: ReturnType<typeof createCall>, n: number) =>
    call({ ...echo, body: text8.encode(`{"text":"${n}"}`), deadline: unhurried() })

  test('share the load, and each call is executed once', async () => {
    const byOther: string[] = []
    const other = await serveProbe(await bus.connect('offers'), name => void byOther.push(name))
    onTestFinished(() => other.drain())
    const call = createCall(await bus.connect('tests'))
    const calls = sized(100, 200)
    for (let n = 0; n < calls; n++) expect((await callEcho(call, n)).status).toBe(200)
    expect(executed.length + byOther.length).toBe(calls)
    expect(executed.length).toBeGreaterThan(calls / 10)
    expect(byOther.length).toBeGreaterThan(calls / 10)
  })

  test('one that does not answer gets so few calls that it refuses none', async () => {
    const byFrozen: string[] = []
    const thawed = newGate()
    let isFrozen = false
    const frozen = await serveProbe(await bus.connect('offers'), name => {
      byFrozen.push(name)
      return isFrozen ? thawed.opened : undefined
    })
    const call = createCall(await bus.connect('tests'))
    onTestFinished(() => {
      thawed.open()
      return frozen.drain()
    })
    while (byFrozen.length === 0 || executed.length === 0) await callEcho(call, 0)
    isFrozen = true
    const answers: ReturnType<typeof call>[] = []
    for (let n = 0; n < 50; n++) {
      const stuck = byFrozen.length
      const answer = callEcho(call, n)
      answers.push(answer)
      const answered = new AbortController()
      const options = { everyMs: 1, signal: answered.signal }
      await Promise.race([answer, waitUntil('it is stuck', () => byFrozen.length > stuck, options)])
      answered.abort()
    }
    thawed.open()
    // With more than `maxInFlight` it would have refused some.
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  })

  test('one of an earlier release, without the operation, passes calls on', async () => {
    const earlier = await serve(
      await bus.connect('offers'),
      service('offers', { lose: probe.operations.lose }),
      { log: faults.log, deps: () => ({}), handlers: { lose: async () => ({ body: { text: 'found' } }) } },
    )
    onTestFinished(() => earlier.drain())
    const call = createCall(await bus.connect('tests'))
    const seen = new Set<number>()
    const lose = { ...echo, subject: 'rpc.offers.lose', body: new Uint8Array(), deadline: unhurried() }
    // The other replica's answer is 503.
    while (seen.size < 2) seen.add((await call(lose)).status)
    for (let n = 0; n < 20; n++) {
      await call(lose)
      expect((await callEcho(call, n)).status).toBe(200)
    }
    expect(executed).toHaveLength(20)
  })

  test('one says who it is, except to agents, who may not choose', async () => {
    const access = { credentials: [], workspace: false, roles: [], agent: true } as const
    const compute = await serve(
      await bus.connect('compute'),
      service('compute', { report: { summary: '', access, errors: [] } }),
      { log: faults.log, deps: () => ({}), handlers: { report: async () => ({ body: undefined }) } },
    )
    onTestFinished(() => compute.drain())
    const replicaOf = async (subject: string) =>
      (await caller.nc.request(subject, '', { timeout: 60_000 })).headers?.get('Svc-Replica')
    expect(await replicaOf('rpc.offers.answer_nothing')).toMatch(/^\w+$/)
    expect(await replicaOf('rpc.compute.report.clus_1.key')).toBe('')
  })

  test('one that drains finishes what it received, and no call fails under load', async () => {
    const byOther: string[] = []
    const other = await serveProbe(await bus.connect('offers'), name => void byOther.push(name))
    const call = createCall(await bus.connect('tests'))
    const answers: string[] = []
    const callers = Array.from({ length: maxInFlight }, async () => {
      while (answers.length < sized(400, 3000)) {
        const { status, body } = await callEcho(call, answers.length)
        answers.push(`${status} ${new TextDecoder().decode(body).slice(0, 9)}`)
      }
    })
    await waitUntil(
      'load on both',
      () => [byOther, executed].every(({ length }) => length > sized(20, 100)),
      { everyMs: 1 },
    )
    await other.drain()
    const finished = byOther.length
    await Promise.all(callers)
    expect(new Set(answers)).toEqual(new Set(['200 {"text":"']))
    expect(byOther.length).toBe(finished)
    expect(executed.length + byOther.length).toBe(answers.length)
  })

  test('one that drains answers what it has in progress before it closes', async () => {
    const held = ask('wait')
    await waitUntil('the call is in progress', () => executed.length === 1)
    let drained = false
    const draining = served.drain().then(() => {
      drained = true
    })
    // Nothing else serves, so new calls find no responder.
    await waitUntil('it stopped receiving', () =>
      ask('echo', { body: { text: 'a' } }).then(
        () => false,
        ({ code }) => code === '503',
      ),
    )
    expect(drained).toBe(false)
    gate.open()
    expect((await held).json()).toEqual({ text: 'waited' })
    await draining
    expect(executed.filter(name => name === 'wait')).toEqual(['wait'])
  })
})

describe('the services API (ADR-32)', () => {
  test('PING, INFO and STATS answer the monitor for all services, by name and by id', async () => {
    const { nc } = await bus.connect('monitor')
    const ask = (subject: string) => nc.request(subject, '', { timeout: 300_000 })
    const ping = (await ask('$SRV.PING')).json<{ name: string; id: string; type: string }>()
    expect(ping).toMatchObject({ name: 'offers', type: 'io.nats.micro.v1.ping_response' })
    for (const of of ['', '.offers', `.offers.${ping.id}`]) {
      expect((await ask(`$SRV.PING${of}`)).json()).toMatchObject({ id: ping.id })
      const info = (await ask(`$SRV.INFO${of}`)).json<{ endpoints: { subject: string }[] }>()
      expect(info.endpoints).toContainEqual({
        name: 'echo',
        subject: 'rpc.offers.echo',
        queue_group: 'offers',
      })
      expect(info.endpoints).toHaveLength(Object.keys(probe.operations).length)
      const stats = (await ask(`$SRV.STATS${of}`)).json<{ endpoints: object[] }>()
      expect(stats.endpoints[0]).toMatchObject({ name: 'echo', data: { requests: 0, in_flight: 0 } })
    }
  })

  test('a user without permission to serve the operations fails at the start', async () => {
    const wrong = await bus.connect('compute')
    await expect(serveProbe(wrong)).rejects.toThrow(/Permissions Violation.*rpc\.offers\./)
  })
})

test('a drain ends even while the bus is gone', async () => {
  const own = await startTestBus()
  onTestFinished(() => own.stop())
  const service = await own.connect('offers')
  const alone = await serveProbe(service)
  await own.nats.kill('SIGKILL')
  await waitUntil('its end', () => !own.nats.running() && !service.connected)
  await alone.drain()
  expect(own.nats.running()).toBe(false)
})

test('the answer to a call from before a lost connection is not sent, and the service goes on', async () => {
  const own = await startTestBus()
  onTestFinished(() => own.stop())
  const { kept } = faults
  const service = await own.connect('offers', faults.log)
  await serveProbe(service)
  const asking = await own.connect('tests')
  const call = createCall(asking)
  const request = {
    headers: { 'Svc-Caller': JSON.stringify(asProgram) },
    deadline: unhurried(),
    body: text8.encode('{"text":"a"}'),
  }
  const lost = call({ ...request, subject: 'rpc.offers.wait' })
  lost.catch(() => {})
  await waitUntil('the call is in progress', () => executed.length === 1)
  await own.nats.kill('SIGKILL')
  await expect(lost).rejects.toMatchObject({ tag: 'Timeout' })
  await waitUntil('the end of the server', () => !own.nats.running() && !service.connected)
  await own.nats.restart()
  await waitUntil('both are back', () => service.connected && asking.connected)
  gate.open()
  await waitUntil('the report', () => kept.some(({ message }) => message.startsWith('reply not sent')))
  expect((await call({ ...request, subject: 'rpc.offers.echo' })).status).toBe(200)
  expect(kept.filter(({ level }) => level === 'error')).toEqual([])
})
