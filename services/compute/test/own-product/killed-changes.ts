// Changes of settings whose replicas are killed while a statement for many is under way: each has happened together with
// its event or not at all, and can be repeated.
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { scaled } from '@svc/contract/core/deadline-scale'
import { compute } from '@svc/contract/compute/compute'
import { waitUntil } from '@svc/local/wait-until'
import { holdTransaction } from '@svc/testing/hold-transaction'
import { followEvents } from '@svc/testing/read-events'
import { unhurried } from '@svc/testing/size'
import { expect, onTestFinished, test } from 'vitest'
import { newCluster, settingsClient } from '../settings-client.ts'
import { gateway, scene } from './scene.ts'

const count = 100

test(`none of ${count} changes by killed replicas has happened without its event, and each can be repeated`, async () => {
  const { stack } = scene
  const client = settingsClient(stack.baseUrls[0] ?? '', stack.dev.api_token)
  const bus = await connectBus(stack.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  const events = await followEvents(bus)
  onTestFinished(async () => {
    await events.stop()
    await bus.close()
  })
  const before = await Promise.all(
    Array.from({ length: count }, async () => {
      const id = await newCluster(stack)
      return { id, etag: (await client.get(id)).body.etag }
    }),
  )
  const call = createCall(gateway)
  const patch = ({ id, etag }: { id: string; etag: string }, deadline = unhurried()) =>
    invoke(call, compute, 'update_compute_settings', {
      caller: { kind: 'api_token', id: 'tok_1', workspace: stack.dev.workspace_id, role: 'member' },
      params: { id },
      headers: { 'if-match': etag },
      body: { max_machines: 5 },
      deadline,
    })

  // What a statement writes into is locked before it begins to write.
  const held = await holdTransaction(stack.sql, tx => tx`lock table compute.outbox in share mode`)
  const answers = Promise.allSettled(before.map(one => patch(one, Date.now() + scaled(1000))))
  await held.someoneWaits()
  const replicas = stack.stack.processes.compute
  for (const replica of replicas) replica.kill('SIGKILL')
  await waitUntil('they are gone', () => replicas.every(replica => !replica.running()))
  await held.release()
  expect((await answers).map(({ status }) => status)).toEqual(before.map(() => 'rejected'))
  await Promise.all(replicas.map(replica => replica.start()))

  const ids = new Set(before.map(({ id }) => id))
  const told = () =>
    events.stored.filter(
      ({ type, aggregate_id }) => type === 'compute_settings.updated' && ids.has(aggregate_id),
    )
  await Promise.all(before.map(one => patch(one)))
  const current = await Promise.all(before.map(async ({ id }) => [id, (await client.get(id)).body.etag]))
  await waitUntil('the events', () => told().length >= count)
  expect(
    told()
      .map(({ aggregate_id, data }) => [aggregate_id, (data as { etag: string }).etag])
      .sort(),
  ).toEqual(current.sort())
})
