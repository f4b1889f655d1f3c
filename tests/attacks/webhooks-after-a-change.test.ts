// An attacker still has the old receiver or the old secret of an endpoint, after its people paused it, moved it, rotated its secret at once or
// deleted it: 22 to 56 more requests began with what had been, up to 1.4 s after the answer.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sender } from '@svc/outbound/sender'
import type { Sql } from '@svc/runtime/database'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { beginWithinMs } from '../../services/activity/src/deliveries/begin-window.ts'
import { deleteWebhookEndpoint } from '../../services/activity/src/endpoints/delete-webhook-endpoint.ts'
import { pauseWebhookEndpoint } from '../../services/activity/src/endpoints/pause-webhook-endpoint.ts'
import { rotateWebhookSecret } from '../../services/activity/src/endpoints/rotate-webhook-secret.ts'
import { updateWebhookEndpoint } from '../../services/activity/src/endpoints/update-webhook-endpoint.ts'
import {
  atRest,
  deps,
  endpointRow,
  eventually,
  happen,
  inWorkspace,
  newEndpoint,
  sql,
  startReceiver,
  startReplica,
  useDeliveries,
} from '../../services/activity/test/deliveries/delivery-scene.ts'

useDeliveries()

type Began = Record<string, string> & { url: string; body: string }

/** What begins, at the moment at which it does. */
function watchBeginnings() {
  const began: Began[] = []
  const around =
    (send: Sender['send']): Sender['send'] =>
    outgoing =>
      send({
        ...outgoing,
        async begin() {
          const headers = await outgoing.begin?.()
          if (headers) began.push({ ...headers, url: outgoing.url, body: String(outgoing.body) })
          return headers
        },
      })
  return { began, around }
}

const change = (
  handler: (input: never, caller: never, given: never) => Promise<unknown>,
  { id, workspace }: { id: string; workspace: string },
  body?: object,
) => handler({ params: { id }, body } as never, inWorkspace(workspace) as never, deps() as never)

type Endpoint = Awaited<ReturnType<typeof newEndpoint>>

/** The change, and what may begin after its reply. */
const changes: [string, (endpoint: Endpoint) => Promise<(one: Began) => boolean>][] = [
  [
    'paused',
    async endpoint => {
      await change(pauseWebhookEndpoint as never, endpoint)
      return () => false
    },
  ],
  [
    'moved to another URL',
    async endpoint => {
      const url = endpoint.url.replace('/hook', '/other')
      await change(updateWebhookEndpoint as never, endpoint, { url })
      return one => one.url === url
    },
  ],
  [
    'given another secret at once',
    async endpoint => {
      const rotated = await change(rotateWebhookSecret as never, endpoint, { expires_in: 0 })
      const { secret } = (rotated as { body: { secret: string } }).body
      return one => new Webhook(secret).verify(one.body, one) !== undefined && signatures(one) === 1
    },
  ],
  [
    'deleted',
    async endpoint => {
      await change(deleteWebhookEndpoint as never, endpoint)
      return () => false
    },
  ],
]

const signatures = (one: Began) => one['webhook-signature']?.split(' ').length

test.each(changes)(
  'once it is answered that an endpoint is %s, no request begins with what it was',
  async (_, make) => {
    // Slow enough that some of what a sender has in hand is left after the change.
    const receiver = await startReceiver(() => delay(20).then(() => ({ status: 204 })))
    const another = await startReceiver()
    const [endpoint, other] = [await newEndpoint(receiver.url), await newEndpoint(another.url)]
    const { began, around } = watchBeginnings()
    const replicas = [startReplica({ around }), startReplica({ around })]
    const all = { wake: () => replicas.forEach(each => void each.wake()) }
    const count = 400
    await happen(
      endpoint.workspace,
      Array.from({ length: count }, (_, n) => `order_${n}`),
    )
    await eventually(all, 'some of many', () => began.length > 20)
    const mayBegin = await make(endpoint)
    const before = began.length
    expect(before).toBeLessThan(count)
    await happen(other.workspace, ['order_1'])
    await atRest(all, other.id)
    await Promise.all(replicas.map(each => each.stop()))
    const after = began.slice(before).filter(({ url }) => url !== other.url)
    expect(after.filter(one => !mayBegin(one))).toEqual([])
  },
)

/** A replica whose first look at an endpoint is answered when the test says so. */
function startSlowReplica() {
  let looked = () => {}
  let answer = () => {}
  const first = new Promise<void>(resolve => {
    looked = resolve
  })
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  const slow = (database: Sql) =>
    Object.assign(
      async (strings: TemplateStringsArray, ...values: unknown[]) => {
        const rows = await database(strings, ...values)
        if (strings[0]?.includes('activity.read_targets')) {
          looked()
          await held
        }
        return rows
      },
      { json: database.json },
    ) as Sql
  return { replica: startReplica({ database: () => slow(sql()) }), first, answer }
}

test('a look that was answered before the change, and late, begins nothing', async () => {
  const receiver = await startReceiver()
  const endpoint = await newEndpoint(receiver.url)
  const { replica, first, answer } = startSlowReplica()
  await happen(endpoint.workspace, ['order_1'])
  await eventually(replica, 'its turn', async () => {
    const { held_until } = await endpointRow(endpoint.id)
    return held_until > new Date()
  })
  await first
  const committed = performance.now()
  await change(pauseWebhookEndpoint as never, endpoint)
  expect(performance.now() - committed).toBeGreaterThanOrEqual(beginWithinMs)
  answer()
  await atRest(replica, endpoint.id)
  expect(receiver.received).toEqual([])
})
