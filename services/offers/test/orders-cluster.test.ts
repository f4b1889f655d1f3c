// The cluster of an order: what comes between the steps of a submission, and what refers to a cluster.
import type { CallBus } from '@svc/bus/call'
import { bareError } from '@svc/contract/errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDeps, type Deps } from '../src/deps.ts'
import { createInputSchemas, type InputSchemas } from '../src/input-schema/input-schemas.ts'
import { submitOrder } from '../src/submit-order.ts'
import { latch } from './in-process.ts'
import { codeOf, newCustomer, type Running, runOffers, type Way } from './running-offers.ts'
import { patientLimits } from './input-schema/patient-limits.ts'

let running: Running
let schemas: InputSchemas
beforeAll(async () => {
  running = await runOffers()
  schemas = createInputSchemas(patientLimits)
})
afterAll(async () => {
  await schemas?.close()
  await running?.stop()
})

const cluster_id = 'clus_x'
type Scene = Awaited<ReturnType<typeof newScene>>

async function newScene(way: Way = 'direct') {
  const offer = await running.newOffer({ way })
  const customer = newCustomer()
  const { body } = await running.order(offer.short_hash, customer)
  return { offer, customer: { ...customer, role: 'member' as const }, id: body.id }
}

function depsWith(callBus: CallBus): Deps {
  const [{ database }] = running.replicas as [Running['replicas'][number]]
  const deps = createDeps({ database, now: running.clock.now, schemas, callBus })
  const made = deps({ deadline: Date.now() + 20_000, request_id: 'test' })
  return { ...made, sql: made.sql }
}

const run = ({ id, customer }: Scene, deps: Deps, body: object = { cluster_id }) =>
  submitOrder(
    { params: { id }, query: undefined, headers: undefined, body: { field_values: {}, ...body } },
    customer,
    deps,
  ).then(
    answered => answered.body.state as string,
    error => `${error.status}`,
  )

/** A submission that has written its reference and waits for compute, until it is told whether the cluster is there. */
async function submission(scene: Scene) {
  const asked = latch()
  const answered = latch()
  let there = false
  const outcome = run(
    scene,
    depsWith(async () => {
      asked.open()
      await answered.opened
      return answer(there)
    }),
  )
  await asked.opened
  return (found: boolean) => {
    there = found
    answered.open()
    return outcome
  }
}

function answer(found: boolean) {
  const body = found ? {} : bareError('ClusterNotFoundError').body
  return {
    status: found ? 200 : 404,
    body: new TextEncoder().encode(JSON.stringify(body)),
    header: () => '',
  }
}

async function usesOf(workspace: string) {
  const caller = { kind: 'internal', id: 'compute', workspace } as const
  const { status, body } = await running.ask('find_uses_of_cluster', caller, { body: { cluster_id } })
  expect(status).toBe(200)
  return body.used_by
}

const stored = async ({ id }: Scene) => {
  const [row] =
    await running.sql`select state, cluster_id, cluster_choice from offers.orders where id = ${id}`
  return row
}
const without = { state: 'open', cluster_id: null, cluster_choice: null }

test('one that is told yes completes, and its install refers to the cluster', async () => {
  const scene = await newScene()
  const told = await submission(scene)
  expect(await usesOf(scene.customer.workspace)).toEqual({ order: scene.id })
  expect(await told(true)).toBe('completed')
  expect(await usesOf(scene.customer.workspace)).toEqual({ install: expect.stringMatching(/^inst_/) })
})

// Beside all processes: http-orders.test.ts.
test('while compute is away a cluster cannot be checked: 503, and nothing has changed; without one it goes on', async () => {
  const scene = await newScene()
  expect(codeOf(await running.submit(scene.id, scene.customer, { cluster_id }))).toEqual([503, 50301])
  expect(await stored(scene)).toEqual(without)
  expect((await running.submit(scene.id, scene.customer)).body.state).toBe('completed')
})

test('one that is told no leaves nothing', async () => {
  const scene = await newScene()
  expect(await (await submission(scene))(false)).toBe('422')
  expect(await stored(scene)).toEqual(without)
  expect(await usesOf(scene.customer.workspace)).toEqual({})
})

test('who was told yes does not go on with the reference of another one: in between the cluster was removed', async () => {
  const scene = await newScene()
  const first = await submission(scene)
  const second = await submission(scene)
  expect(await second(false)).toBe('422')
  // Now a deletion finds nothing, and removes the cluster.
  expect(await usesOf(scene.customer.workspace)).toEqual({})
  const third = await submission(scene)
  expect(await first(true)).toBe('503')
  expect(await usesOf(scene.customer.workspace)).toEqual({ order: scene.id })
  expect(await third(false)).toBe('422')
  expect(await stored(scene)).toEqual(without)
  expect(await running.seats(scene.offer.id)).toMatchObject({ redeemed: 0, installs: 0 })
})

test('who is refused takes back its own reference, and not that of another one to the same cluster', async () => {
  const scene = await newScene()
  const first = await submission(scene)
  const second = await submission(scene)
  expect(await first(false)).toBe('422')
  expect(await usesOf(scene.customer.workspace)).toEqual({ order: scene.id })
  expect(await second(true)).toBe('completed')
})

test.each<[string, object, string, string]>([
  ['and completes', {}, 'completed', '409'],
  ['and is refused', { field_values: { note: 7 } }, '422', '503'],
])('one without a cluster clears what another one chose %s', async (_, body, outcome, outcomeOfFirst) => {
  const scene = await newScene()
  const first = await submission(scene)
  const nobody = depsWith(() => Promise.reject(new Error('is not asked')))
  expect(await run(scene, nobody, body)).toBe(outcome)
  expect(await stored(scene)).toMatchObject({ cluster_id: null, cluster_choice: null })
  expect(await first(true)).toBe(outcomeOfFirst)
  expect(await usesOf(scene.customer.workspace)).toEqual({})
})

test('where the values cannot be checked while the reference is being written, it is taken back after that', async () => {
  const scene = await newScene()
  const writing = latch()
  const write = latch()
  const failed = latch()
  const sent: string[] = []
  const deps = depsWith(async () => answer(true))
  const sql = Object.assign(
    async (strings: TemplateStringsArray, ...values: unknown[]) => {
      const text = strings.join('?').trim()
      if (text.startsWith('update orders')) {
        sent.push(text)
        if (sent.length === 1) {
          writing.open()
          await write.opened
        }
      }
      return deps.sql(strings, ...values)
    },
    { json: deps.sql.json },
  ) as Deps['sql']
  const outcome = run(scene, {
    ...deps,
    sql,
    schemas: {
      ...schemas,
      validate: async () => {
        await writing.opened
        failed.open()
        throw bareError('ComputeSettingsQueryError')
      },
    },
  })
  await failed.opened
  for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate)
  expect(sent).toHaveLength(1)
  write.open()
  expect(await outcome).toBe('503')
  expect(sent).toHaveLength(2)
  expect(await stored(scene)).toEqual(without)
})

test.each<[string, Way, string]>([
  ['is open', 'direct', 'open'],
  ['waits for approval', 'approval', 'awaiting_approval'],
  ['waits for its payment', 'checkout', 'awaiting_checkout'],
])('an order that %s refers to its cluster until its end is written down', async (_, way, state) => {
  const scene = await newScene(way)
  const { workspace } = scene.customer
  const told = await submission(scene)
  if (state !== 'open') expect(await told(true)).toBe(state)
  expect(await stored(scene)).toMatchObject({ state, cluster_id })
  expect(await usesOf(workspace)).toEqual({ order: scene.id })
  // Nobody else's cluster, whatever the order names.
  expect(await usesOf(newCustomer().workspace)).toEqual({})
  const before = running.clock.offsetMs
  running.pass(60 * 24 * 365)
  // By another clock it may go on.
  expect(await usesOf(workspace)).toEqual({ order: scene.id })
  await running.sweep()
  expect(await usesOf(workspace)).toEqual({})
  if (state === 'open') expect(await told(true)).toBe('409')
  running.clock.offsetMs = before
})
