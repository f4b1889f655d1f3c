// Receivers of webhooks that answer with escape sequences for an owner's terminal, with what is no text, or with more than is kept;
// and an owner who would read a service of our own network through the answer to a webhook.
import { expect, test } from 'vitest'
import { createTestDelivery } from '../../services/activity/src/deliveries/create-test-delivery.ts'
import { getWebhookDelivery } from '../../services/activity/src/deliveries/get-webhook-delivery.ts'
import {
  admin,
  atRest,
  deps,
  eventually,
  inWorkspace,
  newEndpoint,
  startReceiver,
  startReplica,
  useDeliveries,
} from '../../services/activity/test/deliveries/delivery-scene.ts'

useDeliveries()

async function answered(url: string, lookup?: () => Promise<string[]>) {
  const { id, workspace } = await newEndpoint(url)
  const replica = startReplica({ sender: { lookup } })
  const of = (params: object) => [{ params } as never, inWorkspace(workspace), deps()] as const
  const { body } = await createTestDelivery(...of({ id }))
  await eventually(replica, 'an attempt', async () => {
    const [row] = await admin`select asked_at from webhook_deliveries where endpoint_id = ${id}`
    return row?.asked_at === null
  })
  await atRest(replica, id)
  return (await getWebhookDelivery(...of({ id, delivery_id: body.id }))).body
}

test.each<[string, string | Buffer, RegExp]>([
  ['escape sequences', '\u001b]0;owned\u0007\u001b[2Jdone\u009b31m', /^ ]0;owned {2}\[2Jdone 31m$/],
  ['zero bytes', 'a\0b', /^a b$/],
  ['carriage returns that overwrite a line', 'refused\raccepted\r\n', /^refused\naccepted\n$/],
  ['marks of direction', 'a\u202eb\u2066c', /^a b c$/],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xc0, 0x80, 0x62]), /^a\ufffd+b$/],
  ['nothing but such bytes', Buffer.alloc(5000, 0xff), /^\ufffd+$/],
  ['a character across the limit', `${'x'.repeat(2046)}€`, /^x{2046}$/],
  ['a megabyte', 'y'.repeat(1_048_576), /^y{2048}$/],
])('an answer of %s is shown as harmless text of at most 2 KB', async (_, body, text) => {
  const receiver = await startReceiver(() => ({ status: 200, body }))
  const { response } = await answered(receiver.url)
  expect(response?.body).toMatch(text)
  expect(Buffer.byteLength(response?.body ?? '')).toBeLessThanOrEqual(2048)
})

test('nothing of a redirect is kept, not even where it leads inside', async () => {
  const inside = await startReceiver(() => ({ status: 200, body: 'a secret inside' }))
  const receiver = await startReceiver(() => ({
    ...{ status: 307, headers: { location: inside.url }, body: 'a secret of the redirect' },
  }))
  const { attempts, response } = await answered(receiver.url)
  expect(response).toBeNull()
  expect(attempts).toMatchObject([{ status: 307, error: expect.stringMatching(/redirect/) }])
  expect(inside.received).toEqual([])
  expect([
    ...(await admin`select 1 from webhook_deliveries where answer is not null and attempts @> '[{"status":307}]'`),
  ]).toEqual([])
})

test.each(['10.0.0.1', '169.254.169.254', '192.168.0.1'])(
  'a name that leads to %s has no answer',
  async address => {
    const { attempts, response } = await answered('https://inside.evil.example/', async () => [address])
    expect(response).toBeNull()
    expect(attempts).toMatchObject([{ status: null, error: expect.stringMatching(/^No public address/) }])
  },
)
