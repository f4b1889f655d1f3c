// Two gateways behind a load balancer, and what is behind them, killed in turn. Callers of the client notice nothing.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { everything } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../src/client.ts'
import { ConnectionError } from '../src/errors.ts'

let running: TestStack
let balancer: Balancer
beforeAll(async () => {
  if (!everything) return
  running = await startTestStack({ replicas: { gateway: 2, offers: 2 }, restart: true })
  balancer = await startBalancer(running.baseUrls.map(url => Number(new URL(url).port)))
})
afterAll(async () => {
  await balancer?.stop()
  await running?.stop()
})

// In `npm test`, retry.test.ts covers cut connections, and kills.test.ts what a kill loses.
test.runIf(everything)(
  'calls that are safe or have a key all succeed, and create exactly one offer each',
  async () => {
    const { stack, dev, sql } = running
    const broken: unknown[] = []
    const client = createClient({
      baseUrl: `http://127.0.0.1:${balancer.port}/v1`,
      token: dev.api_token,
      timeoutMs: 300_000,
      attemptTimeoutMs: 60_000,
      fetch: (url, init) =>
        fetch(url, init).catch(error => {
          broken.push(error)
          throw error
        }),
    })
    const ids: string[] = []
    let [reads, going] = [0, true]
    const params = { id: dev.cluster_id }
    const worker = async () => {
      while (going) {
        ids.push((await client.offers.create_offer({ body: { product_id: dev.product_id } })).body.id)
        await client.compute.get_compute_settings({ params })
        reads++
      }
    }
    const before = await offerIds()
    const workers = Promise.all(Array.from({ length: 20 }, worker)).finally(() => {
      going = false
    })
    const [first, second] = stack.processes.gateway
    const victims = [first, stack.processes.offers[0], second, first]
    for (const victim of victims) {
      const enough = ids.length + 100
      await waitUntil('calls between two kills', () => !going || ids.length >= enough)
      victim?.kill('SIGKILL')
      await victim?.untilReady()
    }
    going = false
    await workers

    expect(new Set(ids).size).toBe(ids.length)
    expect((await offerIds()).filter(id => !before.includes(id)).sort()).toEqual(ids.sort())
    expect(ids.length).toBeGreaterThanOrEqual(400)
    expect(reads).toBeGreaterThanOrEqual(380)
    // Otherwise the kills hit nothing, and the test has shown nothing.
    expect(broken.length).toBeGreaterThan(0)
    expect(broken.every(error => error instanceof TypeError)).toBe(true)

    async function offerIds(): Promise<string[]> {
      return (await sql<{ id: string }[]>`select id from offers.offers`).map(({ id }) => id)
    }
  },
)

test('a load balancer with nothing behind it is a failed connection, after every attempt', async () => {
  const port = await freePort()
  let sent = 0
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    token: 't',
    attempts: 3,
    fetch: (url, init) => {
      sent++
      return fetch(url, init)
    },
  })
  await expect(client.offers.list_installs()).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringContaining('connection refused'),
  })
  await expect(client.offers.list_installs()).rejects.toBeInstanceOf(ConnectionError)
  expect(sent).toBe(6)
})

interface Balancer {
  readonly port: number
  stop(): Promise<void>
}

/** Passes connections on to the ports in turn, skipping those where nothing listens. */
async function startBalancer(ports: number[]): Promise<Balancer> {
  let turn = 0
  const open = new Set<Socket>()
  const server: Server = createServer(client => {
    track(client)
    const tryNext = (left: number) => {
      if (left === 0) return client.destroy()
      const upstream = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1')
      track(upstream)
      let connected = false
      upstream.once('connect', () => {
        connected = true
        client.pipe(upstream).pipe(client)
        client.once('close', () => upstream.destroy())
      })
      upstream.once('close', () => (connected ? client.destroy() : tryNext(left - 1)))
    }
    tryNext(ports.length)
  })
  function track(socket: Socket) {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  }
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
