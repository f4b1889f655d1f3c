// Every event arrives, in order, whatever is killed. kills.test.ts kills each process once.
import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, connectBus } from '@svc/bus/connection'
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, test } from 'vitest'
import { type Load, startLoad } from '@svc/testing/load'
import { everything, patience } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { addPeople, changeRoles, everyEventIsThere, killReplica, killServer } from './kill-scene.ts'

let running: TestStack
let bus: Bus
let people: string[]

beforeAll(async () => {
  running = await startTestStack({
    replicas: { offers: 2, 'auth-tokens': 2 },
    ownPostgres: true,
  })
  bus = await connectBus(running.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  people = await addPeople(running)
})
afterAll(async () => {
  await bus?.close()
  await running?.stop()
})

const made = ({ attempts }: Load) => attempts.filter(({ status }) => status === 201).length
const replicas = () => [...running.stack.processes.offers, ...running.stack.processes['auth-tokens']]

/** Each is killed several times, with a pause in which events are published. */
const faults: [string, () => Promise<void>][] = [
  [
    'every replica in turn',
    async () => {
      for (const replica of replicas()) {
        await delay(700)
        await killReplica(replica)
      }
    },
  ],
  ['NATS', () => thrice(() => killServer(running.stack.nats))],
  ['PostgreSQL', () => thrice(() => killServer(running.stack.postgres))],
  [
    'everything at once',
    () =>
      thrice(async () => {
        const { nats, postgres } = running.stack
        const all = replicas()
        for (const replica of all) replica.kill('SIGKILL')
        await Promise.all([nats, postgres].map(server => killServer(server, 0)))
        await Promise.all(all.map(killReplica))
      }),
  ],
]

async function thrice(strike: () => Promise<void>) {
  for (let round = 0; round < 3; round++) {
    await delay(700)
    await strike()
    await delay(700)
  }
}

test.runIf(everything).each(faults)(
  'kill -9 of %s under load: every event is there once, in order within its aggregate',
  async (_name, strike) => {
    const { dev, baseUrls } = running
    const body = { product_id: dev.product_id }
    const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 20 })
    const stopChanging = changeRoles(running, people)
    try {
      await strike()
      // Otherwise the kills hit too little to show anything.
      await waitUntil('enough offers', () => made(load) > 500, { timeoutMs: patience(30_000) })
    } finally {
      await Promise.all([load.stop(), stopChanging()])
    }
    await everyEventIsThere(running, { bus, people, attempts: load.attempts })
  },
  patience(120_000),
)
