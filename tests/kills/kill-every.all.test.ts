// Row 1 of docs/reliability.md, whose rows these suites name by number, for each kind of process; then everything at once.
// In `npm test`: kills.test.ts.
import { type Bus, connectBus } from '@svc/bus/connection'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleAccounts, settled } from '@svc/testing/ledger'
import { type Attempt, startLoad } from '@svc/testing/load'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import {
  addPeople,
  changeRoles,
  everyEventIsThere,
  killReplica,
  killServer,
  noneFails,
  someOffers,
} from './kill-scene.ts'

const connections = 20
let running: TestStack
let bus: Bus
let people: string[]

beforeAll(async () => {
  running = await startTestStack({
    replicas: { gateway: 2, 'auth-tokens': 2, offers: 2, compute: 2, activity: 2 },
    ownPostgres: true,
  })
  bus = await connectBus(running.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  people = await addPeople(running)
})
afterAll(async () => {
  await bus?.close()
  await running?.stop()
})

const body = () => ({ product_id: running.dev.product_id })
// The pause leaves the processor time for processes that start.
const start = () =>
  startLoad({ ...running, token: running.dev.api_token, body: body(), connections, pauseMs: 50 })

test('kill -9 of each process in turn loses at most what it had in flight, and no event; none fails once it is ready again', async () => {
  const stopChanging = changeRoles(running, people, 50)
  const attempts: Attempt[] = []
  for (const name of ['offers', 'auth-tokens', 'compute', 'activity', 'gateway'] as const) {
    const load = start()
    await someOffers(load, 50)
    await killReplica(running.stack.processes[name][0])
    await noneFails(load, 50)
    // Callers of the dead one wait for an answer until the deadline.
    await load.stop()
    const failures = load.attempts.filter(({ status }) => status !== 201)
    expect.soft(failures.length, `failures around the kill of ${name}`).toBeLessThanOrEqual(connections)
    attempts.push(...load.attempts)
  }
  await stopChanging()
  expect(await settleAccounts(running, attempts, body())).toMatchObject(settled)
  await everyEventIsThere(running, { bus, people, attempts })
  expect(running.lines.filter(line => /uncaught|"level":60/.test(line))).toEqual([])
})

test('kill -9 of everything at once under load: every event is there once, in order within its aggregate', async () => {
  const { nats, postgres, processes } = running.stack
  const all = [...processes.offers, ...processes['auth-tokens'], ...processes.activity]
  const load = start()
  const stopChanging = changeRoles(running, people)
  try {
    await someOffers(load, 50)
    for (const replica of all) replica.kill('SIGKILL')
    await Promise.all([nats, postgres].map(server => killServer(server)))
    await Promise.all(all.map(killReplica))
    await someOffers(load, 50)
  } finally {
    await Promise.all([load.stop(), stopChanging()])
  }
  await everyEventIsThere(running, { bus, people, attempts: load.attempts })
})
