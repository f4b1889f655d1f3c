// How many deliveries an endpoint has is bounded, and so is what one statement removes.
import { expect, test } from 'vitest'
import { createTestDelivery } from '../../src/deliveries/create-test-delivery.ts'
import { purgeDeliveries } from '../../src/deliveries/purge-deliveries.ts'
import { deleteWebhookEndpoint } from '../../src/endpoints/delete-webhook-endpoint.ts'
import { admin, deps, inWorkspace, newEndpoint, now, sql, useDeliveries } from './delivery-scene.ts'

useDeliveries()

const ofEndpoint = (id: string) => ({ params: { id } }) as never
const rowsOf = async (id: string) =>
  (await admin`select event_id from webhook_deliveries where endpoint_id = ${id} order by event_id`).map(
    ({ event_id }) => event_id,
  )

test('the last hundred test deliveries of an endpoint are kept', async () => {
  const { id, workspace } = await newEndpoint('http://127.0.0.1:2/')
  const other = await newEndpoint('http://127.0.0.1:2/', { workspace })
  const create = (endpoint: string) =>
    createTestDelivery(ofEndpoint(endpoint), inWorkspace(workspace), deps())
  await create(other.id)
  const made: string[] = []
  for (let n = 0; n < 103; n++) made.push((await create(id)).body.id)
  expect(await rowsOf(id)).toEqual(made.slice(-100).sort())
  expect(await rowsOf(other.id)).toHaveLength(1)
})

test('what was sent to an endpoint that is deleted goes in parts, whatever state it is in', async () => {
  const { id, workspace } = await newEndpoint('http://127.0.0.1:2/')
  const other = await newEndpoint('http://127.0.0.1:2/', { workspace })
  for (const endpoint of [id, other.id])
    await admin`
      insert into webhook_deliveries (
        endpoint_id, event_id, position, type, aggregate_id, body, state, event_created_at, next_at, created_at
      )
      select ${endpoint}, 'evt_' || n, n, 'orders.created', 'order_1', '{}',
        case when n % 2 = 0 then 'pending' else 'delivered' end, now(), now(), now()
      from generate_series(1, 6000) n`
  await deleteWebhookEndpoint(ofEndpoint(id), inWorkspace(workspace), deps())
  expect(await purgeDeliveries(sql(), now() / 1000)).toBe(true)
  expect(await rowsOf(id)).toHaveLength(1000)
  while (await purgeDeliveries(sql(), now() / 1000));
  expect(await rowsOf(id)).toEqual([])
  expect([...(await admin`select id from deleted_webhook_endpoints`)]).toEqual([])
  expect(await rowsOf(other.id)).toHaveLength(6000)
})
