// The cluster of an order: what can happen between the steps of a submission, and what keeps a cluster from being closed.
import { forFile } from '@svc/testing/for-file'
import { bySystem } from '@svc/contract/core/actor'
import { testSeal } from '@svc/testing/seal'
import type { CallBus } from '@svc/bus/call'
import { bareError } from '@svc/contract/core/errors'
import { newId } from '@svc/runtime/id'
import { sized, unhurried } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { createDeps, type Deps } from '../../src/deps.ts'
import { submitOrder } from '../../src/orders/submit-order.ts'
import { latch } from '../in-process.ts'
import { codeOf, newCustomer, type Running, shareOffers, type Way } from '../running-offers.ts'
import { sharedSchemas } from '../input-schema/shared-schemas.ts'

const running = forFile(shareOffers)
const schemas = sharedSchemas()

type Scene = Awaited<ReturnType<typeof newScene>>

async function newScene(way: Way = 'direct') {
  const offer = await running.newOffer({ way })
  const customer = { ...newCustomer(), role: 'member' as const }
  const { body } = await running.order(offer.short_hash, customer)
  return { offer, customer, id: body.id, cluster_id: newId('clus') }
}

/** Dependencies as either replica has them. */
function depsWith(callBus: CallBus, replica = 0): Deps {
  const { database } = running.replicas[replica] as Running['replicas'][number]
  const deps = createDeps({
    database,
    now: running.clock.now,
    schemas,
    seal: testSeal,
    publicUrl: 'http://localhost:8080',
    callBus,
  })
  return deps({ deadline: unhurried(), request_id: 'test', by: bySystem('test') })
}

const submit = ({ id, customer, cluster_id }: Scene, deps: Deps, field_values: object = {}) =>
  submitOrder(
    {
      params: { id },
      query: undefined,
      headers: undefined,
      body: { field_values: field_values as Record<string, never>, cluster_id },
    },
    customer,
    deps,
  ).then(
    answered => answered.body.state as string,
    error => `${error.status}`,
  )

/** Compute says that the cluster is there, or is not. */
const says = (found: boolean) => async () => ({
  status: found ? 200 : 404,
  body: new TextEncoder().encode(JSON.stringify(found ? {} : bareError('ClusterNotFoundError').body)),
  header: () => '',
})

/** What keeps the cluster from being closed; empty if it is closed now. */
async function close(cluster_id: string, workspace: string) {
  const caller = { kind: 'internal', id: 'compute', workspace } as const
  const { status, body } = await running.ask('close_cluster', caller, { body: { cluster_id } })
  expect(status).toBe(200)
  return body.used_by
}

const stored = async ({ id }: Scene) => {
  const [row] = await running.sql`select state, cluster_id from offers.orders where id = ${id}`
  return row
}
const untouched = { state: 'open', cluster_id: null }

test('a submitted order refers to its cluster, which cannot be closed', async () => {
  const scene = await newScene()
  expect(await submit(scene, depsWith(says(true)))).toBe('completed')
  const used = { install: expect.stringMatching(/^inst_/) }
  expect(await close(scene.cluster_id, scene.customer.workspace)).toEqual(used)
})

// With all processes, at full size: http-orders.test.ts.
test('while compute is down, submitting with a cluster is 503 and changes nothing; without one it works', async () => {
  const scene = await newScene()
  expect(codeOf(await running.submit(scene.id, scene.customer, { cluster_id: scene.cluster_id }))).toEqual([
    503, 50301,
  ])
  expect(await stored(scene)).toEqual(untouched)
  expect((await running.submit(scene.id, scene.customer)).body.state).toBe('completed')
})

test('an order with an unknown cluster is refused, and refers to nothing', async () => {
  const scene = await newScene()
  expect(await submit(scene, depsWith(says(false)))).toBe('422')
  expect(await stored(scene)).toEqual(untouched)
  expect(await close(scene.cluster_id, scene.customer.workspace)).toEqual({})
})

test('an order whose cluster is closed after compute has found it is refused, and may choose another', async () => {
  const scene = await newScene()
  const asked = latch()
  const answered = latch()
  const slow = async () => {
    asked.open()
    await answered.opened
    return says(true)()
  }
  const outcome = submit(scene, depsWith(slow))
  await asked.opened
  expect(await close(scene.cluster_id, scene.customer.workspace)).toEqual({})
  answered.open()
  expect(await outcome).toBe('422')
  expect(await stored(scene)).toEqual(untouched)
  expect(await running.seats(scene.offer.id)).toMatchObject({ redeemed: 0, installs: 0 })
  // For good, and closing may be repeated.
  expect(await close(scene.cluster_id, scene.customer.workspace)).toEqual({})
  expect(await submit(scene, depsWith(says(true)))).toBe('422')
  expect(await submit({ ...scene, cluster_id: newId('clus') }, depsWith(says(true)))).toBe('completed')
})

test('when a submission and a closing meet on two replicas, one is done and the other refused', async () => {
  const scenes = await Promise.all(Array.from({ length: sized(8, 40) }, () => newScene()))
  const outcomes = await Promise.all(
    scenes.map(async (scene, at) => {
      const both = [
        () => submit(scene, depsWith(says(true), at % 2)),
        () => close(scene.cluster_id, scene.customer.workspace),
      ]
      const [first, second] = await Promise.all((at % 4 < 2 ? both : both.reverse()).map(act => act()))
      const [submitted, used] = at % 4 < 2 ? [first, second] : [second, first]
      return `${submitted} ${Object.keys(used as object)}`
    }),
  )
  expect(outcomes.filter(outcome => outcome !== 'completed install' && outcome !== '422 ')).toEqual([])
})

test('orders of other workspaces keep no cluster open, and no workspace closes the cluster of another', async () => {
  const scene = await newScene()
  const other = newCustomer().workspace
  expect(await close(scene.cluster_id, other)).toEqual({})
  expect(await submit(scene, depsWith(says(true)))).toBe('completed')
  expect(await close(scene.cluster_id, other)).toEqual({})
})

test('if the values are refused, or compute does not answer, the cluster stays free', async () => {
  const scene = await newScene()
  expect(await submit(scene, depsWith(says(true)), { note: 7 })).toBe('422')
  expect(
    await submit(
      scene,
      depsWith(() => Promise.reject(bareError('ComputeSettingsQueryError'))),
    ),
  ).toBe('503')
  expect(await stored(scene)).toEqual(untouched)
  expect(await close(scene.cluster_id, scene.customer.workspace)).toEqual({})
})

test.each<[string, Way, string]>([
  ['waits for approval', 'approval', 'awaiting_approval'],
  ['waits for its payment', 'checkout', 'awaiting_checkout'],
])('an order that %s refers to its cluster until its end is stored', async (_, way, state) => {
  const scene = await newScene(way)
  const { workspace } = scene.customer
  expect(await submit(scene, depsWith(says(true)))).toBe(state)
  expect(await stored(scene)).toEqual({ state, cluster_id: scene.cluster_id })
  expect(await close(scene.cluster_id, workspace)).toEqual({ order: scene.id })
  const before = running.clock.offsetMs
  running.pass(60 * 24 * 365)
  // By another replica's clock it may still be open.
  expect(await close(scene.cluster_id, workspace)).toEqual({ order: scene.id })
  while (await running.sweep()) {}
  expect(await close(scene.cluster_id, workspace)).toEqual({})
  running.clock.offsetMs = before
})
