import { join } from 'node:path'
import { service } from '@svc/contract/core/operation'
import { startNats } from '@svc/local/servers/embedded-nats'
import { freePort } from '@svc/local/free-port'
import { repoRoot } from '@svc/local/repo-root'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { waitUntil } from '@svc/local/wait-until'
import { amountIn } from '@svc/testing/deploy/exposition'
import { startTestNats } from '@svc/testing/stack/nats'
import { accessOf, type TestUser } from '@svc/testing/stack/nats-config'
import { sized, unhurried } from '@svc/testing/size'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startTcpProxy } from '../../runtime/test/database/tcp-proxy.ts'
import { createCall } from '../src/call.ts'
import { type Bus, connectBus } from '../src/connection.ts'
import { serve } from '../src/serve.ts'
import { fakeScene } from './fake-servers.ts'
import { keepingLog, silent } from './test-bus.ts'

const configFile = join(repoRoot, 'deploy/nats/nats.conf')
const secrets = newSecrets()
const { nats: passwords } = secrets
const env = natsEnv(secrets)
const access = (port: number, user: TestUser) =>
  accessOf(name => ({
    NATS_URL: `nats://127.0.0.1:${port}`,
    NATS_USER: name,
    NATS_PASSWORD: passwords[name],
  }))(user)

test('a server that is not there yet is waited for, with a line in the log', async () => {
  const port = await freePort()
  const { log, kept } = keepingLog()
  const connecting = connectBus(access(port, 'gateway'), log)
  await waitUntil('the report', () => kept.length > 0)
  expect(kept).toMatchObject([{ level: 'warn', message: 'waiting for the bus' }])
  const server = await startNats({ configFile, env, port })
  onTestFinished(() => server.stop())
  const bus = await connecting
  expect(bus.connected).toBe(true)
  await bus.close()
})

test('a wrong password at the start is an error, and no other attempt is made', async () => {
  const nats = await startTestNats()
  onTestFinished(() => nats.stop())
  const { log, kept } = keepingLog()
  await expect(connectBus({ ...nats.user('gateway'), NATS_PASSWORD: 'pw0' }, log)).rejects.toMatchObject({
    code: 'AUTHORIZATION_VIOLATION',
  })
  expect(kept).toEqual([])
})

test('a password that is refused later does not stop reconnecting', async () => {
  const first = await startNats({ configFile, env })
  const { port } = first
  const { log, kept } = keepingLog()
  const bus = await connectBus(access(port, 'gateway'), log)
  onTestFinished(() => bus.close())
  const changes: boolean[] = []
  bus.onChange(connected => void changes.push(connected))
  await first.stop()
  const changed = await startNats({ configFile, env: natsEnv(newSecrets()), port })
  await waitUntil('several refusals', () => kept.filter(({ message }) => message === 'bus error').length > 3)
  expect(bus.connected).toBe(false)
  expect(await amountIn(bus.metrics, 'svc_bus_connected')).toBe(0)
  expect(await amountIn(bus.metrics, 'svc_bus_disconnects_total')).toBe(1)
  await changed.stop()
  const last = await startNats({ configFile, env, port })
  onTestFinished(() => last.stop())
  await waitUntil('its return', () => bus.connected)
  expect(bus.losses).toBe(1)
  expect(await amountIn(bus.metrics, 'svc_bus_connected')).toBe(1)
  expect(await amountIn(bus.metrics, 'svc_bus_disconnects_total')).toBe(1)
  expect(changes).toEqual([false, true])
})

test('a client disconnected as stale reconnects, without an error', async () => {
  const { bus, kept, from } = await fakeScene()
  from.clients.at(-1)?.end("-ERR 'Stale Connection'\r\n")
  await waitUntil('its return', () => bus.connected && bus.losses === 1)
  expect(kept.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'warn bus error',
    'warn bus disconnected',
    'info bus reconnected',
  ])
})

const probe = service('offers', {
  echo: {
    summary: '',
    access: { credentials: [], workspace: false, roles: [] },
    output: z.object({}),
    errors: [],
  },
})

test('connection attempts that a frozen server left unanswered do not become second connections', async () => {
  const server = await startTestNats({ streams: false })
  onTestFinished(() => server.stop())
  const proxy = await startTcpProxy(server.url)
  onTestFinished(() => proxy.close())
  const [serving, calling] = await Promise.all(
    (['offers', 'tests'] as const).map(user =>
      connectBus({ ...server.user(user), NATS_URL: proxy.url }, silent),
    ),
  )
  if (!serving || !calling) throw new Error('There are two.')
  const served = await serve(serving, probe, {
    log: silent,
    deps: () => ({}),
    handlers: { echo: async () => ({ body: {} }) },
  })
  onTestFinished(async () => {
    await served.drain()
    await calling.close()
  })
  const call = createCall(calling)

  const attempts = [serving, calling].map(countAttempts)
  await server.kill('SIGSTOP')
  for (const { nc } of [serving, calling]) await nc.reconnect()
  // The server, which would close them later, is still frozen.
  await waitUntil(
    'a second attempt of both, and the end of the first',
    () => attempts.every(count => count() >= 2) && proxy.connected <= 2,
  )
  await server.kill('SIGCONT')
  await waitUntil('their return', () => serving.connected && calling.connected)

  for (let round = 0; round < sized(20, 200); round++) {
    const { status } = await call({
      subject: 'rpc.offers.echo',
      body: new Uint8Array(),
      headers: { 'Svc-Caller': '{"kind":"internal","id":"test"}' },
      deadline: unhurried(),
    })
    expect(status).toBe(200)
  }
  expect(proxy.connected).toBe(2)
  expect([serving.losses, calling.losses]).toEqual([1, 1])
})

function countAttempts({ nc }: Bus): () => number {
  let attempts = 0
  const watch = async () => {
    for await (const { type } of nc.status()) if (type === 'reconnecting') attempts++
  }
  void watch()
  return () => attempts
}
