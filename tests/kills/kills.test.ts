// Rows 1, 3 and 4 in short form, and the events: each is killed once under load. `npm run test:all` kills each many
// times (kill-bus, kill-database, kill-relay and kill-replica).
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, connectBus } from '@svc/bus/connection'
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deaths, settleAccounts, settled } from '@svc/testing/ledger'
import { type Attempt, createOffer, type Load, startLoad } from '@svc/testing/load'
import { patience } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { addPeople, changeRoles, everyEventIsThere, killReplica, killServer, pidsOf } from './kill-scene.ts'

const connections = 10
// Leaves the processor time for processes that start.
const pauseMs = 80
let running: TestStack
let bus: Bus
let people: string[]
let stopChanging: () => Promise<void>
const attempts: Attempt[] = []

beforeAll(async () => {
  running = await startTestStack({
    replicas: { gateway: 2, 'auth-tokens': 2, offers: 2 },
    ownPostgres: true,
  })
  bus = await connectBus(running.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  people = await addPeople(running, 3)
  stopChanging = changeRoles(running, people, pauseMs)
}, patience(120_000))
afterAll(async () => {
  await stopChanging?.()
  await bus?.close()
  await running?.stop()
})

const ready = async (url: string) => (await fetch(`${url}/readyz`)).status === 200
const body = () => ({ product_id: running.dev.product_id })
const start = (): Load => {
  const { baseUrls, dev } = running
  return startLoad({ baseUrls, token: dev.api_token, body: body(), connections, pauseMs })
}
const someOffers = (load: Load, count = 50) => {
  const before = load.attempts.length
  const made = () => load.attempts.slice(before).filter(({ status }) => status === 201).length
  return waitUntil('some offers', () => made() >= count, { timeoutMs: patience(30_000) })
}

/** Checks that every call succeeds that begins at least a second from now. */
async function isNormal(load: Load) {
  const from = performance.now() + patience(1000)
  const begun = () => load.attempts.filter(({ startedAt }) => startedAt >= from)
  await waitUntil('answers after that second', () => begun().length >= 50, { timeoutMs: patience(30_000) })
  expect(begun().filter(({ status }) => status !== 201)).toEqual([])
}

/** Checks that nothing acknowledged was lost. */
async function settle(load: Load) {
  await load.stop()
  attempts.push(...load.attempts)
  expect(await settleAccounts(running, load.attempts, body())).toMatchObject(settled)
}

test('NATS: 503 at once, back to normal a second after its return, and no process exits', async () => {
  const { stack, dev, baseUrls } = running
  const before = pidsOf(running)
  const load = start()
  await someOffers(load)
  const killedAt = performance.now()
  await stack.nats?.kill('SIGKILL')
  await delay(250)
  const shed = await Promise.all(
    baseUrls.map(baseUrl => createOffer({ baseUrl, token: dev.api_token, body: body(), key: randomUUID() })),
  )
  for (const attempt of shed) {
    expect(attempt).toMatchObject({ status: 503, tag: 'Unavailable', retryAfter: expect.any(String) })
    expect(attempt.endedAt - attempt.startedAt).toBeLessThan(patience(250))
  }
  for (const { url } of stack.gateways) expect(await ready(url)).toBe(false)
  await stack.nats?.restart()
  await isNormal(load)
  // Requests in progress when the bus was killed are answered at once, too.
  const late = load.attempts.filter(
    ({ startedAt, endedAt }) => endedAt > killedAt + patience(250) && startedAt < killedAt,
  )
  expect(late).toEqual([])
  for (const { url } of stack.gateways) expect(await ready(url)).toBe(true)
  expect(deaths(running.lines)).toEqual([])
  expect(pidsOf(running)).toEqual(before)
  await settle(load)
})

test('PostgreSQL, and then its connections: back to normal a second later, and no process exits', async () => {
  const { stack, sql } = running
  const before = pidsOf(running)
  const load = start()
  await someOffers(load)
  await killServer(stack.postgres)
  await isNormal(load)
  for (let round = 0; round < 3; round++) {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name in ('offers', 'auth-tokens')`
    await someOffers(load, 5)
  }
  await isNormal(load)
  expect(deaths(running.lines)).toEqual([])
  expect(pidsOf(running)).toEqual(before)
  await settle(load)
})

// Nothing restarts them: the next test kills the others, and starts these.
test('a process of each kind, in turn: at most what it had in flight fails', async () => {
  const { stack, dev, baseUrls } = running
  const load = start()
  for (const names of [['offers', 'compute'], ['auth-tokens'], ['gateway']] as const) {
    await someOffers(load)
    const at = performance.now()
    const victims = names.map(name => stack.processes[name].at(-1))
    for (const victim of victims) victim?.kill('SIGKILL')
    await waitUntil('their end', () => victims.every(victim => !victim?.running()))
    await someOffers(load, 20)
    expect(performance.now() - at).toBeLessThan(patience(1500))
    // To a running gateway, as through a load balancer. Callers of the dead one may still be waiting.
    const options = { baseUrl: baseUrls[0] ?? '', token: dev.api_token, body: body() }
    const probes = await Promise.all(
      Array.from({ length: 20 }, () => createOffer({ ...options, key: randomUUID() })),
    )
    expect(new Set(probes.map(({ status }) => status)), `after the kill of ${names}`).toEqual(new Set([201]))
    const failures = load.attempts.filter(({ status, endedAt }) => status !== 201 && endedAt > at)
    expect(failures.length, `failures around the kill of ${names}`).toBeLessThanOrEqual(connections)
    load.attempts.push(...probes)
  }
  await settle(load)
})

test('everything at once: nothing acknowledged is lost', async () => {
  const { nats, postgres, processes } = running.stack
  const load = start()
  await someOffers(load)
  const all = [...processes.offers, ...processes['auth-tokens']].filter(replica => replica.running())
  for (const replica of all) replica.kill('SIGKILL')
  await Promise.all([nats, postgres].map(server => killServer(server, 0)))
  await Promise.all(all.map(killReplica))
  await someOffers(load)
  await settle(load)
})

test('every event is there once, in order within its aggregate', async () => {
  await stopChanging()
  expect(await everyEventIsThere(running, { bus, people, attempts })).toBeGreaterThan(200)
})
