// Which replica sends to which endpoint, and for how long.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { takeDeliveries } from '../../src/deliveries/take-deliveries.ts'
import {
  admin,
  atRest,
  endpointRow,
  eventually,
  happen,
  newEndpoint,
  now,
  sql,
  startReceiver,
  startReplica,
  useDeliveries,
} from './delivery-scene.ts'

useDeliveries()

test('what a replica that died had in hand is sent by another one', async () => {
  const receiver = await startReceiver()
  const { id, workspace } = await newEndpoint(receiver.url)
  await admin`
    update webhook_endpoints set held_until = now() + interval '1 hour', turn = turn + 1 where id = ${id}`
  const replica = startReplica()
  await happen(workspace, ['order_1'])
  await eventually(replica, 'that it is woken', async () => (await endpointRow(id)).woken)
  expect(receiver.received).toEqual([])
  await admin`update webhook_endpoints set held_until = now() where id = ${id}`
  await eventually(replica, 'it', () => receiver.received.length === 1)
})

test('what a process held is left as soon as it does not say any more that it is there', async () => {
  const receiver = await startReceiver()
  const { id, workspace } = await newEndpoint(receiver.url)
  await admin`insert into webhook_senders (id, until) values ('other', now() + interval '1 hour')`
  await admin`
    update webhook_endpoints set held_until = now() + interval '1 hour', turn = turn + 1, holder = 'other' where id = ${id}`
  const replica = startReplica()
  await happen(workspace, ['order_1'])
  await eventually(replica, 'that it is woken', async () => (await endpointRow(id)).woken)
  expect(receiver.received).toEqual([])
  await admin`update webhook_senders set until = now() where id = 'other'`
  await eventually(replica, 'it', () => receiver.received.length === 1)
  await atRest(replica, id)
  expect((await endpointRow(id)).holder).toBeNull()
  await replica.stop()
  expect([...(await admin`select id from webhook_senders`)]).toEqual([])
})

test('endpoints that accept slowly, with more and more to send, leave their slots to others', async () => {
  const slow = await startReceiver(() => delay(20).then(() => ({ status: 204 })))
  const quick = await startReceiver()
  const replica = startReplica({ slots: { healthy: 1, failing: 1 }, turnMs: 50 })
  const busy = await newEndpoint(slow.url)
  let more = 0
  const happenMore = async () => {
    more += 50
    await happen(busy.workspace, Array(50).fill('order_1'))
  }
  await happenMore()
  await eventually(replica, 'the first of many', () => slow.received.length > 0)
  const other = await newEndpoint(quick.url)
  await happen(other.workspace, ['order_2'])
  await eventually(replica, 'the other one', async () => {
    if (more - slow.received.length < 50) await happenMore()
    return quick.received.length === 1
  })
})

test('however many were asked for once more, they are sent, and no more of them are in a process than may be', async () => {
  const receiver = await startReceiver()
  const { id, workspace } = await newEndpoint(receiver.url)
  const count = 250
  await admin`
    insert into webhook_deliveries (
      endpoint_id, event_id, position, type, aggregate_id, body, state, event_created_at, next_at, asked_at, created_at
    )
    select ${id}, 'evt_' || n, n, 'orders.created', 'order_' || n,
      json_build_object('id', 'evt_' || n, 'type', 'orders.created', 'aggregate_id', 'order_' || n, 'sequence', n)::text,
      'delivered', now(), now(), now(), now()
    from generate_series(1, ${count}) n`
  const [row] = await admin`
    update webhook_endpoints set turn = turn + 1, held_until = now() + interval '1 hour' where id = ${id} returning turn::int`
  const taken = await takeDeliveries(sql(), { id, turn: row?.turn }, { at: now() / 1000, inHand: [] })
  expect(taken?.deliveries).toHaveLength(100)
  await admin`update webhook_endpoints set held_until = now() where id = ${id}`
  const replica = startReplica()
  await happen(workspace, ['order_0'])
  await eventually(replica, 'all of them', () => receiver.received.length === count + 1)
  await atRest(replica, id)
  expect(new Set(receiver.received.map(each => each.id)).size).toBe(count + 1)
})
