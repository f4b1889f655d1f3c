// Rows 1, 3 and 4, and the events: each is killed once under load. `npm run test:all` kills every kind of process, and all
// at once (kill-every.all.test.ts).
import { type Bus, connectBus } from '@svc/bus/connection'
import { scaled } from '@svc/contract/core/deadline-scale'
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deaths, settleAccounts, settled } from '@svc/testing/ledger'
import { type Attempt, type Load, startLoad } from '@svc/testing/load'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import {
  addPeople,
  changeRoles,
  everyEventIsThere,
  everyProcessIsReady,
  everyReplicaReachesTheDatabase,
  killServer,
  noneFails,
  pidsOf,
  refusesWithoutBus,
  someOffers,
  someRefusals,
} from './kill-scene.ts'

const connections = 4
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
    // Callers of a dead process wait for it as long as they are given.
    env: { SVC_DEADLINE_SCALE: String(Math.max(1, scaled(1) / 2)) },
  })
  bus = await connectBus(running.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  people = await addPeople(running, 1)
  stopChanging = changeRoles(running, people, pauseMs)
})
afterAll(async () => {
  await stopChanging?.()
  await bus?.close()
  await running?.stop()
})

const body = () => ({ product_id: running.dev.product_id })
const start = (baseUrls = running.baseUrls): Load =>
  startLoad({ baseUrls, token: running.dev.api_token, body: body(), connections, pauseMs })

/** Checks that nothing acknowledged was lost, and that whoever is refused is told when to come again. */
async function settle(load: Load) {
  await load.stop()
  attempts.push(...load.attempts)
  const refused = load.attempts.filter(({ status }) => status === 503)
  expect(refused.filter(({ retryAfter }) => !retryAfter)).toEqual([])
  expect(await settleAccounts(running, load.attempts, body())).toMatchObject(settled)
}

test('requests are refused with 503 while NATS is away, none fails once it is back, and no process exits', async () => {
  const before = pidsOf(running)
  const load = start()
  await someOffers(load, 20)
  await refusesWithoutBus(running, load, 20)
  const after = start()
  await noneFails(after)
  expect(deaths(running.lines)).toEqual([])
  expect(pidsOf(running)).toEqual(before)
  await settle(load)
  await settle(after)
})

test('every process is ready while PostgreSQL is away, no request fails once it, or the connections to it, are back, and no process exits', async () => {
  const { stack, sql } = running
  const before = pidsOf(running)
  const load = start()
  await someOffers(load, 20)
  await killServer(stack.postgres, async () => {
    await someRefusals(load, 5)
    // Nobody would answer if all were taken out of service.
    await everyProcessIsReady(running)
  })
  await everyReplicaReachesTheDatabase(running)
  await noneFails(load)
  await sql`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name in ('offers', 'auth-tokens')`
  await everyReplicaReachesTheDatabase(running)
  await noneFails(load)
  expect(deaths(running.lines)).toEqual([])
  expect(pidsOf(running)).toEqual(before)
  await settle(load)
})

// Nothing restarts them.
test.each([
  ['offers and compute', ['offers', 'compute']],
  ['auth-tokens', ['auth-tokens']],
  ['gateway', ['gateway']],
] as const)(
  'kill -9 of a process of %s: at most what it had in flight fails, and the others serve',
  async (_names, names) => {
    const load = start()
    await someOffers(load, 20)
    const victims = names.map(name => running.stack.processes[name].at(-1))
    for (const victim of victims) victim?.kill('SIGKILL')
    await waitUntil('their end', () => victims.every(victim => !victim?.running()))
    await someOffers(load, 20)
    // Until all that waits for an answer of the dead one has had its own.
    await load.stop()
    const failures = load.attempts.filter(({ status }) => status !== 201)
    expect(failures.length).toBeLessThanOrEqual(connections)
    await settle(load)
  },
)

test('no request fails once a process is started again', async () => {
  const { stack, baseUrls } = running
  await stack.processes.offers.at(-1)?.start()
  const load = start(baseUrls.slice(0, 1))
  await noneFails(load)
  await settle(load)
})

test('every event is there once, in order within its aggregate', async () => {
  await stopChanging()
  expect(await everyEventIsThere(running, { bus, people, attempts })).toBeGreaterThan(200)
})
