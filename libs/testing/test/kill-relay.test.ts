// Events arrive in order, and each of them, whatever is killed.
import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens'
import type { Supervised } from '@svc/local/processes'
import type { ServerHandle } from '@svc/local/server-handle'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { caller } from '../src/driven-stack.ts'
import { startLoad } from '../src/load.ts'
import { disorder, readEvents } from '../src/read-events.ts'
import { startTestStack, type TestStack } from '../src/stack.ts'

let running: TestStack
let bus: Bus
let people: string[]

beforeAll(async () => {
  running = await startTestStack({
    replicas: { offers: 2, 'auth-tokens': 2 },
    ownPostgres: true,
  })
  bus = await connectBus(running.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  people = Array.from({ length: 8 }, () => newId('user'))
  for (const id of people) {
    await running.sql`insert into auth_tokens.users (id, email) values (${id}, ${`${id}@events.example`})`
  }
})
afterAll(async () => {
  await bus?.close()
  await running?.stop()
})

/** Gives each person one role after the other: every change is an event of one aggregate. */
function changeRoles() {
  const admin = caller(running.dev.workspace_id)
  let going = true
  const changing = people.map(async user_id => {
    for (let turn = 0; going; turn++) {
      const body = { user_id, role: turn % 2 ? 'admin' : 'member' } as const
      await invoke(running.backoffice, authTokens, 'put_member', { ...admin, body }).catch(() => delay(20))
    }
  })
  return async () => {
    going = false
    await Promise.all(changing)
  }
}

/** Ends it at once, and comes back when it is ready again. */
async function killReplica(replica: Supervised | undefined) {
  replica?.kill('SIGKILL')
  await waitUntil(`the end of ${replica?.name}`, () => !replica?.running())
  await replica?.start(30_000)
}

async function killServer(server: ServerHandle | undefined, outageMs = 300) {
  await server?.kill('SIGKILL')
  await delay(outageMs)
  await server?.restart()
}

const replicas = () => [...running.stack.processes.offers, ...running.stack.processes['auth-tokens']]

/** Each is struck several times, with a while between in which events are published. */
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

test.each(faults)(
  'kill -9 of %s under load: every event is there once, in the order of its aggregate',
  async (_name, strike) => {
    const { dev, baseUrls, sql } = running
    const before = (await readEvents(bus)).length
    const body = { product_id: dev.product_id }
    const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 20 })
    const stopChanging = changeRoles()
    try {
      await strike()
    } finally {
      await Promise.all([load.stop(), stopChanging()])
    }
    await waitUntil('the connection', () => bus.connected)
    await waitUntil('empty outboxes', async () => {
      const [left] = await sql`
      select (select count(*) from offers.outbox) + (select count(*) from auth_tokens.outbox) as count`
      return Number(left?.count) === 0
    })

    const stored = await readEvents(bus)
    expect(disorder(stored)).toEqual({ late: [], twice: [] })
    const offers = await sql`select id from offers.offers`
    const told = stored
      .filter(({ type }) => type === 'offers.created')
      .map(({ aggregate_id }) => aggregate_id)
    expect(new Set(told)).toEqual(new Set(offers.map(({ id }) => id)))
    const acknowledged = load.attempts.filter(({ status }) => status === 201).map(({ id }) => id)
    expect(told).toEqual(expect.arrayContaining(acknowledged))
    // A change of role is told where the role was another one: two alike in a row, and one between them is lost.
    const memberships = await sql`
    select user_id, role from auth_tokens.memberships where user_id = any (${people})`
    for (const { user_id, role } of memberships) {
      const roles = stored
        .filter(({ aggregate_id }) => aggregate_id === `${dev.workspace_id}/${user_id}`)
        .map(({ data }) => (data as { role: string }).role)
      expect(roles.filter((one, at) => one === roles[at + 1])).toEqual([])
      expect(roles.at(-1)).toBe(role)
    }
    expect(memberships).toHaveLength(people.length)
    expect(stored.length - before).toBeGreaterThan(500)
  },
  120_000,
)
