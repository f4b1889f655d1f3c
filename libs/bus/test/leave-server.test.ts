/** A server of a cluster goes into lame duck mode, as in every rollout. */
import { setTimeout as delay } from 'node:timers/promises'
import { service } from '@svc/contract/core/operation'
import { waitUntil } from '@svc/local/wait-until'
import { sized, unhurried } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type CallBus, createCall } from '../src/call.ts'
import type { Bus } from '../src/connection.ts'
import { serve } from '../src/serve.ts'
import { isAt, startCluster } from './cluster.ts'
import { disconnectsOf } from './fake-servers.ts'
import { newGate } from './test-bus.ts'

const operation = {
  summary: '',
  access: { credentials: [], workspace: false, roles: [] },
  output: z.object({}),
  errors: [],
} as const
const probe = service('offers', { quick: operation, slow: operation })

const quick = async () => {
  await delay(20)
  return { body: {} }
}

test('callers and services move to another server, and no call is lost', async () => {
  const { servers, connect, kept, log } = await startCluster()
  const buses: Bus[] = []
  for (const at of [0, 1, 0] as const) {
    const bus = await connect('offers', at)
    await serve(bus, probe, { handlers: { quick, slow: quick }, deps: () => ({}), log })
    buses.push(bus)
  }
  const calling = await connect('tests', 0)
  const changes: boolean[] = []
  calling.onChange(connected => void changes.push(connected))
  const load = startCalls(createCall(calling))
  await waitUntil('calls are answered', () => load.statuses.length > sized(40, 100))
  await servers[0].kill('SIGUSR2')
  await waitUntil('everyone is at the other server', () =>
    [calling, ...buses].every(bus => isAt(bus, servers[1])),
  )
  const before = load.statuses.length
  await waitUntil('calls are answered there', () => load.statuses.length > before + sized(40, 100))
  await load.stop()

  expect(new Set(load.statuses)).toEqual(new Set([200]))
  expect(calling.connected).toBe(true)
  expect(changes).toEqual([true])
  expect(await disconnectsOf(calling.metrics)).toBe(0)
  expect(kept.filter(({ level }) => level !== 'info')).toEqual([])
})

test('a call in progress is answered, and so are others meanwhile, though every replica is connected to that server', async () => {
  const { servers, connect, kept, log } = await startCluster()
  const serving = await connect('offers', 0)
  let [began, leaving] = [false, false]
  const { opened, open } = newGate()
  const slow = async () => {
    began = true
    await opened
    return { body: {} }
  }
  await serve(serving, probe, { handlers: { quick, slow }, deps: () => ({}), log })
  // Taken before the step that waits for calls in progress.
  serving.onLeave(async () => {
    leaving = true
  })
  const call = createCall(await connect('tests', 1))
  const answered = call(request('slow'))
  await waitUntil('the slow call', () => began)
  const load = startCalls(call)
  await servers[0].kill('SIGUSR2')
  await waitUntil('the leaving', () => leaving)
  const goesOn = async () => {
    const before = load.statuses.length
    await waitUntil('calls are answered', () => load.statuses.length > before + sized(40, 100))
  }
  await goesOn()
  open()
  expect((await answered).status).toBe(200)
  await waitUntil('the move', () => isAt(serving, servers[1]))
  await goesOn()
  await load.stop()
  expect(new Set(load.statuses)).toEqual(new Set([200]))
  expect(kept.filter(({ level }) => level !== 'info')).toEqual([])
})

test('a service that drains while it leaves answers what is in progress', async () => {
  const { servers, connect, kept, log } = await startCluster()
  const serving = await connect('offers', 0)
  let leaving = false
  const { opened, open } = newGate()
  let began = false
  const slow = async () => {
    began = true
    await opened
    return { body: {} }
  }
  const served = await serve(serving, probe, { handlers: { quick, slow }, deps: () => ({}), log })
  // Opened before that of the service.
  serving.onLeave(async () => {
    leaving = true
  })
  const call = createCall(await connect('tests', 1))
  const answered = call(request('slow'))
  await waitUntil('the slow call', () => began)
  await servers[0].kill('SIGUSR2')
  await waitUntil('the leaving', () => leaving)
  const drained = served.drain()
  open()
  expect((await answered).status).toBe(200)
  await drained
  expect(serving.nc.isClosed()).toBe(true)
  expect(kept.filter(({ level }) => level !== 'info')).toEqual([])
})

const request = (name: keyof typeof probe.operations) => ({
  subject: `rpc.offers.${name}`,
  body: new Uint8Array(),
  headers: { 'Svc-Caller': JSON.stringify({ kind: 'internal', id: 'test' }) },
  deadline: unhurried(),
})

const atATime = sized(5, 20)

function startCalls(call: CallBus) {
  const statuses: (number | string)[] = []
  let going = true
  const worker = async () => {
    while (going) {
      // Calls that are refused at once are not load, and would leave no time for anything else.
      if (statuses.at(-1) !== 200) await delay(5)
      statuses.push(
        await call(request('quick')).then(
          ({ status }) => status,
          error => String(error),
        ),
      )
    }
  }
  const workers = Array.from({ length: atATime }, worker)
  return {
    statuses,
    async stop() {
      going = false
      await Promise.all(workers)
    },
  }
}
