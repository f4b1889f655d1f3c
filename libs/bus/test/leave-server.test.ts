/** A server of a cluster is told to leave (lame duck), as in every rollout of it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { service } from '@svc/contract/operation'
import { startNats } from '@svc/local/embedded-nats'
import { freePort } from '@svc/local/free-port'
import { repoRoot } from '@svc/local/repo-root'
import { type NatsUser, natsPasswordEnv, newSecrets } from '@svc/local/secrets'
import type { ServerHandle } from '@svc/local/server-handle'
import { waitUntil } from '@svc/local/wait-until'
import { amountIn } from '@svc/testing/exposition'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type CallBus, createCall } from '../src/call.ts'
import { type Bus, connectBus } from '../src/connection.ts'
import { serve } from '../src/serve.ts'
import { keepingLog } from './test-bus.ts'

const { nats: passwords } = newSecrets()
const probe = service('offers', {
  slow: {
    summary: '',
    access: { credentials: [], workspace: false, roles: [] },
    output: z.object({}),
    errors: [],
  },
})

let folder: string
let servers: ServerHandle[] = []
const buses: Bus[] = []
const { log, kept } = keepingLog()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  const routes = await Promise.all([freePort(), freePort()])
  const users = await readFile(join(repoRoot, 'deploy/nats/nats.conf'), 'utf8')
  servers = await Promise.all(
    routes.map(async (port, index) => {
      const configFile = join(folder, `nats-${index}.conf`)
      const known = routes.map(route => `nats://127.0.0.1:${route}`).join()
      const cluster = `cluster { name: svc, host: 127.0.0.1, port: ${port}, routes: [${known}], no_advertise: true }`
      await writeFile(configFile, `${users}\nserver_name: nats-${index}\n${cluster}\n`)
      return startNats({ configFile, env: natsPasswordEnv(passwords) })
    }),
  )
})
afterAll(async () => {
  await Promise.all(buses.map(bus => bus.close()))
  // A lame duck takes its time.
  for (const server of servers) await server.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

async function connect(user: NatsUser, firstServer: number): Promise<Bus> {
  const urls = [servers[firstServer], servers[1 - firstServer]].map(server => server?.url)
  const bus = await connectBus(
    { NATS_URL: urls.join(), NATS_USER: user, NATS_PASSWORD: passwords[user] },
    log,
  )
  buses.push(bus)
  return bus
}

test('callers and services move to another server, and no call is lost', async () => {
  const handlers = {
    slow: async () => {
      await delay(20)
      return { body: {} }
    },
  }
  for (const firstServer of [0, 1, 0]) {
    const bus = await connect('offers', firstServer)
    await serve(bus, probe, { handlers, deps: () => ({}), log })
  }
  const calling = await connect('gateway', 0)
  const changes: boolean[] = []
  calling.onChange(connected => void changes.push(connected))
  const call = createCall(calling)
  const load = startCalls(call)
  await waitUntil('calls are answered', () => load.statuses.length > 100)
  const leaving = String(calling.nc.getServer())
  await servers.find(({ port }) => leaving.endsWith(`:${port}`))?.kill('SIGUSR2')
  await waitUntil('everybody is at the other server', () =>
    buses.every(bus => bus.nc.getServer() !== leaving),
  )
  const before = load.statuses.length
  await waitUntil('calls are answered there', () => load.statuses.length > before + 100)
  await load.stop()

  expect(new Set(load.statuses)).toEqual(new Set([200]))
  expect(calling.connected).toBe(true)
  expect(changes).not.toContain(false)
  // For answers it is another connection; for whoever is to be woken nothing was lost.
  expect(calling.losses).toBe(1)
  expect(await amountIn(calling.metrics, 'svc_bus_disconnects_total')).toBe(0)
  expect(kept.filter(({ level }) => level !== 'info')).toEqual([])
})

/** Twenty at a time. */
function startCalls(call: CallBus) {
  const statuses: (number | string)[] = []
  let going = true
  const caller = JSON.stringify({ kind: 'internal', id: 'test' })
  const worker = async () => {
    while (going) {
      const request = {
        subject: 'rpc.offers.slow',
        body: new Uint8Array(),
        headers: { 'Svc-Caller': caller },
        deadline: Date.now() + 5000,
      }
      // What is refused at once is no load, and would leave no time for anything else.
      if (statuses.at(-1) !== 200) await delay(5)
      statuses.push(
        await call(request).then(
          ({ status }) => status,
          error => String(error),
        ),
      )
    }
  }
  const workers = Array.from({ length: 20 }, worker)
  return {
    statuses,
    async stop() {
      going = false
      await Promise.all(workers)
    },
  }
}
