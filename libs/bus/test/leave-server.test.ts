/** A server of a cluster goes into lame duck mode, as in every rollout. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { service } from '@svc/contract/core/operation'
import { startNats } from '@svc/local/servers/embedded-nats'
import { freePort } from '@svc/local/free-port'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { waitUntil } from '@svc/local/wait-until'
import { accessOf, testConfig, type TestUser } from '@svc/testing/stack/nats-config'
import { patience, sized } from '@svc/testing/size'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type CallBus, createCall } from '../src/call.ts'
import { type Bus, connectBus } from '../src/connection.ts'
import { serve } from '../src/serve.ts'
import { disconnectsOf } from './fake-servers.ts'
import { keepingLog, newGate } from './test-bus.ts'

const secrets = newSecrets()
const { nats: passwords } = secrets
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

const slowMs = sized(1000, 3000)
test(`a call of ${slowMs} ms is answered, and so are others meanwhile, though every replica is connected to that server`, async () => {
  const { servers, connect, kept, log } = await startCluster()
  const serving = await connect('offers', 0)
  let began = false
  const slow = async () => {
    began = true
    await delay(slowMs)
    return { body: {} }
  }
  await serve(serving, probe, { handlers: { quick, slow }, deps: () => ({}), log })
  const call = createCall(await connect('tests', 1))
  const answered = call(request('slow'))
  await waitUntil('the slow call', () => began)
  const load = startCalls(call)
  await servers[0].kill('SIGUSR2')
  expect((await answered).status).toBe(200)
  await waitUntil('the move', () => isAt(serving, servers[1]))
  const before = load.statuses.length
  await waitUntil('calls are answered there', () => load.statuses.length > before + sized(40, 100))
  await load.stop()
  // Messages on the route between the servers while the last member of a queue group leaves are lost silently. If
  // another replica is elsewhere, the server sends them there. A caller that lost one waits for its answer until the
  // move is over, so nobody loses two.
  const lost = load.statuses.filter(status => /^ApiError: No response in time/.test(String(status)))
  expect(lost.length).toBeLessThanOrEqual(atATime)
  expect(load.statuses.filter(status => status !== 200)).toEqual(lost)
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

/** Two servers, as deployed. */
async function startCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  const routes = await Promise.all([freePort(), freePort()])
  const users = await testConfig()
  const start = async (index: 0 | 1) => {
    const configFile = join(folder, `nats-${index}.conf`)
    const known = routes.map(route => `nats://127.0.0.1:${route}`).join()
    const cluster = `cluster { name: svc, host: 127.0.0.1, port: ${routes[index]}, routes: [${known}], no_advertise: true }`
    await writeFile(configFile, `${users}\nserver_name: nats-${index}\n${cluster}\n`)
    return startNats({ configFile, env: natsEnv(secrets) })
  }
  const servers = await Promise.all([start(0), start(1)])
  const buses: Bus[] = []
  onTestFinished(async () => {
    await Promise.all(buses.map(bus => bus.close()))
    // A lame duck shuts down slowly.
    for (const server of servers) await server.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const { log, kept } = keepingLog()

  /** The library starts with a random server, so this is repeated until it starts there. */
  const connect = async (user: TestUser, at: 0 | 1): Promise<Bus> => {
    const NATS_URL = servers.map(({ url }) => url).join()
    const access = accessOf(name => ({ NATS_URL, NATS_USER: name, NATS_PASSWORD: passwords[name] }))
    const bus = await connectBus(access(user), log)
    if (isAt(bus, servers[at])) {
      buses.push(bus)
      return bus
    }
    await bus.close()
    return connect(user, at)
  }
  return { servers, connect, kept, log }
}

const isAt = ({ nc }: Bus, { port }: { port: number }) => nc.getServer().endsWith(`:${port}`)

const request = (name: keyof typeof probe.operations) => ({
  subject: `rpc.offers.${name}`,
  body: new Uint8Array(),
  headers: { 'Svc-Caller': JSON.stringify({ kind: 'internal', id: 'test' }) },
  deadline: Date.now() + patience(5000),
})

const atATime = 20

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
