import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { service } from '@svc/contract/core/operation'
import { startNats } from '@svc/local/servers/embedded-nats'
import { freePort } from '@svc/local/free-port'
import { repoRoot } from '@svc/local/repo-root'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { waitUntil } from '@svc/local/wait-until'
import { amountIn } from '@svc/testing/deploy/exposition'
import { startTestNats } from '@svc/testing/stack/nats'
import { accessOf, testConfig, type TestUser } from '@svc/testing/stack/nats-config'
import { patience, sized } from '@svc/testing/size'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
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

test('a wrong password at the start is an error at once', async () => {
  const nats = await startTestNats()
  onTestFinished(() => nats.stop())
  const began = Date.now()
  await expect(connectBus({ ...nats.user('gateway'), NATS_PASSWORD: 'pw0' }, silent)).rejects.toMatchObject({
    code: 'AUTHORIZATION_VIOLATION',
  })
  expect(Date.now() - began).toBeLessThan(patience(1000))
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
  await waitUntil('its return', () => bus.connected, { timeoutMs: patience(2000) })
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
  // The server closes connections that do not authenticate, here after 1 s instead of 5 s.
  const folder = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const hasty = join(folder, 'nats.conf')
  await writeFile(hasty, (await testConfig()).replace('timeout: 5', 'timeout: 1'))
  const server = await startNats({ configFile: hasty, env })
  onTestFinished(() => server.stop())
  const serving = await connectBus(access(server.port, 'offers'), silent)
  const calling = await connectBus(access(server.port, 'tests'), silent)
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
  await waitUntil('a second attempt of both', () => attempts.every(count => count() >= 2), {
    timeoutMs: patience(8000),
  })
  await server.kill('SIGCONT')
  await waitUntil('their return', () => serving.connected && calling.connected)

  const until = Date.now() + sized(1500, 2500)
  let answered = 0
  while (Date.now() < until) {
    const { status } = await call({
      subject: 'rpc.offers.echo',
      body: new Uint8Array(),
      headers: { 'Svc-Caller': '{"kind":"internal","id":"test"}' },
      deadline: Date.now() + patience(500),
    })
    expect(status).toBe(200)
    answered++
    await delay(sized(20, 0))
  }
  expect(answered).toBeGreaterThan(sized(20, 100))
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
