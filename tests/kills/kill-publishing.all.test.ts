// Every event arrives, in order, whatever is killed. kills.test.ts kills each process once.
// In `npm test`: kills.test.ts.
import { type Bus, connectBus } from '@svc/bus/connection'
import { afterAll, beforeAll, test } from 'vitest'
import { type Load, startLoad } from '@svc/testing/load'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import {
  addPeople,
  changeRoles,
  everyEventIsThere,
  killReplica,
  killServer,
  someOffers,
} from './kill-scene.ts'

let running: TestStack
let bus: Bus
let people: string[]

beforeAll(async () => {
  running = await startTestStack({
    replicas: { offers: 2, 'auth-tokens': 2, activity: 2 },
    ownPostgres: true,
  })
  bus = await connectBus(running.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  people = await addPeople(running)
})
afterAll(async () => {
  await bus?.close()
  await running?.stop()
})

const replicas = () => {
  const { offers, activity, 'auth-tokens': tokens } = running.stack.processes
  return [...offers, ...tokens, ...activity]
}

/** Each is killed twice, with events published in between. */
const faults: [string, (load: Load) => Promise<void>][] = [
  [
    'every replica in turn',
    async load => {
      for (const replica of replicas()) {
        await someOffers(load, 100)
        await killReplica(replica)
      }
    },
  ],
  ['NATS', load => twice(load, () => killServer(running.stack.nats))],
  ['PostgreSQL', load => twice(load, () => killServer(running.stack.postgres))],
  [
    'everything at once',
    load =>
      twice(load, async () => {
        const { nats, postgres } = running.stack
        const all = replicas()
        for (const replica of all) replica.kill('SIGKILL')
        await Promise.all([nats, postgres].map(server => killServer(server)))
        await Promise.all(all.map(killReplica))
      }),
  ],
]

async function twice(load: Load, strike: () => Promise<void>) {
  for (let round = 0; round < 2; round++) {
    await someOffers(load, 100)
    await strike()
  }
}

test.each(faults)(
  'kill -9 of %s under load: every event is there once, in order within its aggregate',
  async (_name, strike) => {
    const { dev, baseUrls } = running
    const body = { product_id: dev.product_id }
    const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 20, pauseMs: 30 })
    const stopChanging = changeRoles(running, people)
    try {
      await strike(load)
      await someOffers(load, 100)
    } finally {
      await Promise.all([load.stop(), stopChanging()])
    }
    await everyEventIsThere(running, { bus, people, attempts: load.attempts })
  },
)
