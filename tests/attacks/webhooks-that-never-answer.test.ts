// One person with twenty workspaces, or many tenants with one target: endpoints at a receiver that never answers took all slots for
// sending, again and again by test deliveries, which said nothing of an endpoint's health. Others waited 18 to 29 s.
import { createTestDelivery } from '../../services/activity/src/deliveries/create-test-delivery.ts'
import { updateWebhookEndpoint } from '../../services/activity/src/endpoints/update-webhook-endpoint.ts'
import {
  admin,
  deps,
  endpointRow,
  eventually,
  happen,
  inWorkspace,
  newEndpoint,
  startReceiver,
  startReplica,
  useDeliveries,
} from '../../services/activity/test/deliveries/delivery-scene.ts'
import { sized } from '@svc/testing/size'
import { expect, onTestFinished, test } from 'vitest'

useDeliveries()

/** A receiver that answers when the test says so. */
async function startHanging() {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  const receiver = await startReceiver(() => opened.then(() => ({ status: 204 })))
  // Before the replica is stopped, which would wait for it.
  const answer = () => {
    open()
    receiver.answer = () => ({ status: 204 })
  }
  return { ...receiver, answer }
}

/** One whose attempts last as long as the test needs; `limit` is read for each. */
function startPatient(limit = { timeoutMs: 600_000 }, options = {}) {
  return startReplica({ ...options, around: send => outgoing => send({ ...outgoing, ...limit }) })
}

type Endpoint = Awaited<ReturnType<typeof newEndpoint>>

const testDelivery = ({ id, workspace }: Endpoint) =>
  createTestDelivery({ params: { id } } as never, inWorkspace(workspace), deps())

/** Endpoints of others, who have another host and their own workspaces. */
async function startOthers(count: number) {
  const receiver = await startReceiver()
  const url = receiver.url.replace('127.0.0.1', 'localhost')
  const endpoints: Endpoint[] = []
  for (let n = 0; n < count; n++) endpoints.push(await newEndpoint(url, { user: `user_other_${n}` }))
  return {
    async getEvents(replica: { wake(): void }) {
      const before = receiver.received.length
      for (const { workspace } of endpoints) await happen(workspace, ['order_1'])
      await eventually(replica, 'what happens to others', () => receiver.received.length === before + count)
    },
  }
}

/** Endpoints at one URL, by workspace. */
async function endpointsAt(url: string, workspaces: number, user?: string) {
  const made: Endpoint[] = []
  for (let n = 0; n < workspaces; n++) {
    const first = await newEndpoint(url, { user: user ?? `user_${n}` })
    made.push(first)
    for (let more = 1; more < 20; more++)
      made.push(await newEndpoint(url, { workspace: first.workspace, user: user ?? `user_${n}` }))
  }
  return made
}

const owned = sized(60, 400)
test(`tests of ${owned} endpoints of one person, none of which answers, leave slots for others`, async () => {
  const hanging = await startHanging()
  const others = await startOthers(10)
  const endpoints = await endpointsAt(hanging.url, owned / 20, 'user_mallory')
  for (const endpoint of endpoints) await testDelivery(endpoint)
  const replica = startPatient()
  onTestFinished(hanging.answer)
  await eventually(replica, 'the person’s share', () => hanging.received.length === 32)
  await others.getEvents(replica)
  expect(hanging.received).toHaveLength(32)
  hanging.answer()
  await eventually(replica, 'all the tests', () => hanging.received.length === owned)
})

test('endpoints of many workspaces and people at one host have its share together', async () => {
  const hanging = await startHanging()
  const others = await startOthers(5)
  const endpoints = await endpointsAt(hanging.url, 4)
  for (const workspace of new Set(endpoints.map(each => each.workspace)))
    await happen(
      workspace,
      Array.from({ length: 4 }, (_, n) => `order_${n}`),
    )
  const replica = startPatient()
  onTestFinished(hanging.answer)
  // An eighth of the slots, and four requests by each.
  await eventually(replica, 'the host’s share', () => hanging.received.length >= 128)
  await others.getEvents(replica)
  // A quarter more for workspaces that had none when the others were taken.
  expect(hanging.received.length).toBeLessThanOrEqual(160)
  hanging.answer()
  await eventually(replica, 'each event twenty times', () => hanging.received.length === 4 * 4 * 20)
})

test('an endpoint that did not answer in time has no slot among those that do, also if only tests were sent to it', async () => {
  const hanging = await startHanging()
  const others = await startOthers(1)
  const endpoint = await newEndpoint(hanging.url, { user: 'user_mallory' })
  const limit = { timeoutMs: 50 }
  const replica = startPatient(limit, { slots: { healthy: 1, failing: 1 } })
  onTestFinished(hanging.answer)
  await testDelivery(endpoint)
  await eventually(replica, 'its failure', async () => (await endpointRow(endpoint.id)).slow)
  expect(await endpointRow(endpoint.id)).toMatchObject({ failing_since: null })
  limit.timeoutMs = 600_000
  const { body: second } = await testDelivery(endpoint)
  await eventually(replica, 'another test', () => hanging.received.some(({ id }) => id === second.id))
  await others.getEvents(replica)
  const [waiting] = await admin`
    select count(*)::int from webhook_deliveries where endpoint_id = ${endpoint.id} and asked_at is not null`
  expect(waiting).toEqual({ count: 1 })
  hanging.answer()
  await eventually(replica, 'an answer', async () => !(await endpointRow(endpoint.id)).slow)
})

test('an endpoint whose attempts take five seconds has no slot among those that answer at once', async () => {
  const receiver = await startReceiver()
  const endpoint = await newEndpoint(receiver.url)
  const taken = { durationMs: 5000 }
  const replica = startReplica({
    around: send => async outgoing => ({ ...(await send(outgoing)), ...taken }),
  })
  await happen(endpoint.workspace, ['order_1'])
  await eventually(replica, 'it is slow', async () => (await endpointRow(endpoint.id)).slow)
  expect(await endpointRow(endpoint.id)).toMatchObject({ failing_since: null })
  taken.durationMs = 4999
  await happen(endpoint.workspace, ['order_2'])
  await eventually(replica, 'it is not', async () => !(await endpointRow(endpoint.id)).slow)
})

test('an endpoint that is moved to a host without a free slot waits for one, though it had a slot at another', async () => {
  const full = await startHanging()
  const former = await startHanging()
  // A host gets one of the eight slots, and another one for a workspace that has none there.
  for (const user of ['user_1', 'user_2'])
    await happen((await newEndpoint(full.url, { user })).workspace, ['order_1'])
  const replica = startPatient(undefined, { slots: { healthy: 8, failing: 8 } })
  onTestFinished(full.answer)
  onTestFinished(former.answer)
  await eventually(replica, 'the full host', () => full.received.length === 2)
  const url = former.url.replace('127.0.0.1', 'localhost')
  const { id, workspace } = await newEndpoint(url, { user: 'user_3' })
  await happen(workspace, ['order_1'])
  await eventually(replica, 'its first event', () => former.received.length === 1)
  const change = { params: { id }, body: { url: full.url } } as never
  await updateWebhookEndpoint(change, inWorkspace(workspace, 'user_3'), deps())
  await happen(workspace, ['order_2'])
  former.answer()
  const isLeft = async () => (await endpointRow(id)).holder === null
  await eventually(replica, 'it has no slot', async () => full.received.length > 2 || (await isLeft()))
  expect(full.received).toHaveLength(2)
  full.answer()
  await eventually(replica, 'its second event', () => full.received.length === 3)
})

test('however many endpoints wait in a process, a workspace that has none there gets its turn', async () => {
  const hanging = await startHanging()
  const others = await startOthers(2)
  const endpoints = await endpointsAt(hanging.url, 1, 'user_mallory')
  for (const endpoint of endpoints) await testDelivery(endpoint)
  const replica = startPatient(undefined, { maxInHand: 4 })
  onTestFinished(hanging.answer)
  await eventually(replica, 'as many as there may be', () => hanging.received.length === 4)
  await others.getEvents(replica)
  expect(hanging.received).toHaveLength(4)
  hanging.answer()
  await eventually(replica, 'all the tests', () => hanging.received.length === 20)
})
