// A delivery shows the request and how its answer begins, which is kept sealed, and for a week.
import { createSeal, newSealingKey } from '@svc/runtime/seal'
import { testSeal } from '@svc/testing/seal'
import type { Receiver } from '@svc/testing/webhook-receiver'
import { expect, test } from 'vitest'
import { getWebhookDelivery } from '../../src/deliveries/get-webhook-delivery.ts'
import { purgeDeliveries } from '../../src/deliveries/purge-deliveries.ts'
import { redeliverWebhook } from '../../src/deliveries/redeliver-webhook.ts'
import {
  admin,
  atRest,
  deps,
  eventually,
  happen,
  inWorkspace,
  moveClock,
  newEndpoint,
  now,
  sql,
  startReceiver,
  startReplica,
  useDeliveries,
} from './delivery-scene.ts'

useDeliveries()

/** One event, delivered to an endpoint that answers so. */
async function delivered(answer: Receiver['answer']) {
  const receiver = await startReceiver(answer)
  const { id, workspace } = await newEndpoint(receiver.url)
  const replica = startReplica()
  const [event] = await happen(workspace, ['order_1'])
  const input = { params: { id, delivery_id: event?.id } } as never
  const arrived = async (count: number) => {
    await eventually(replica, 'an attempt', () => receiver.received.length === count)
    await atRest(replica, id)
  }
  await arrived(1)
  return {
    ...{ id, receiver, input },
    async redelivered() {
      await redeliverWebhook(input, inWorkspace(workspace), deps())
      await arrived(receiver.received.length + 1)
    },
    shown: async (seal = testSeal) =>
      (await getWebhookDelivery(input, inWorkspace(workspace), { ...deps(), seal })).body,
    async sealed(): Promise<string | null> {
      const [row] = await admin`select answer from webhook_deliveries where endpoint_id = ${id}`
      return row?.answer
    },
  }
}

test('a delivery shows its request without the signature, and how the answer begins, of the last attempt', async () => {
  const { receiver, redelivered, shown } = await delivered(() => ({ status: 500, body: 'no database' }))
  const first = await shown()
  const [got] = receiver.received
  expect(first.response).toEqual({ body: 'no database' })
  expect(first.request?.body).toBe(got?.body)
  expect(got?.headers).toMatchObject(first.request?.headers ?? {})
  expect(Object.keys(first.request?.headers ?? {}).sort()).toEqual(
    ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp'].sort(),
  )
  receiver.answer = () => ({ status: 200, body: 'x'.repeat(2047).concat('é and more') })
  await redelivered()
  expect((await shown()).response).toEqual({ body: 'x'.repeat(2047) })
  expect(receiver.received[1]?.headers).toMatchObject((await shown()).request?.headers ?? {})
  receiver.answer = () => ({ status: 302, headers: { location: 'http://127.0.0.1/' }, body: 'moved' })
  await redelivered()
  expect(await shown()).toMatchObject({ response: null, request: { body: got?.body } })
})

test('an answer is kept sealed, and a delivery whose key is gone is shown without it', async () => {
  const { id, shown, sealed } = await delivered(() => ({ status: 200, body: 'password: hunter2' }))
  const rows =
    await admin`select to_jsonb(d)::text as text from webhook_deliveries d where endpoint_id = ${id}`
  expect(rows.map(({ text }) => text).join()).not.toContain('hunter2')
  expect(await sealed()).toMatch(/^v1\./)
  expect((await shown(createSeal(newSealingKey('other')))).response).toBeNull()
  // As a replica of the release before leaves it.
  await admin`
    update webhook_deliveries set attempts = attempts || '[{"at":1,"status":200,"duration_ms":1,"error":null}]'
    where endpoint_id = ${id}`
  expect((await shown()).response).toBeNull()
})

test('an answer is shown for seven days, and then removed', async () => {
  const { shown, sealed } = await delivered(() => ({ status: 200, body: 'ok' }))
  moveClock(7 * 86_400 - 60)
  await purgeDeliveries(sql(), now() / 1000)
  expect((await shown()).response).toEqual({ body: 'ok' })
  moveClock(120)
  expect(await shown()).toMatchObject({ response: null, request: { headers: {} } })
  expect(await sealed()).not.toBeNull()
  await purgeDeliveries(sql(), now() / 1000)
  expect(await sealed()).toBeNull()
})
