// Webhooks while the replicas that send them are killed, and PostgreSQL and NATS are away: each event arrives, none before an
// earlier one of its aggregate, and twice only with the same id.
// In `npm test`: kills.test.ts.
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@svc/local/wait-until'
import { requester, sender } from '@svc/testing/stack/driven-stack'
import { startTestStack } from '@svc/testing/stack/stack'
import { startReceiver } from '@svc/testing/webhook-receiver'
import { expect, onTestFinished, test } from 'vitest'
import { killReplica, killServer } from './kill-scene.ts'

const events = 200
const clusters = 20

test('hundreds of webhooks, while both replicas, PostgreSQL and NATS are killed', async () => {
  const running = await startTestStack({ ownPostgres: true, replicas: { activity: 2 } })
  onTestFinished(() => running.stop())
  const { dev, sql, stack, baseUrls } = running
  let asked = 0
  // Slow enough that kills come in the middle, and one in fifty fails.
  const receiver = await startReceiver(async () => {
    await delay(5)
    return { status: ++asked % 50 === 0 ? 503 : 204 }
  })
  onTestFinished(receiver.stop)
  const request = sender(baseUrls[0] ?? '')
  const send = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    for (;;) {
      try {
        return await request(method, path, dev.owner.session_token, { body, workspace: dev.workspace_id })
      } catch {
        await delay(100)
      }
    }
  }
  const ask = requester(baseUrls[0] ?? '')
  const refused = async () => {
    const options = { workspace: dev.workspace_id }
    for (let times = 0; times < 20; ) {
      const { status } = await ask('GET', '/webhook_endpoints', dev.owner.session_token, options)
      if (status === 503) times++
    }
  }
  await send('POST', '/webhook_endpoints', { url: receiver.url, event_types: ['clusters.*'] })
  const ids: string[] = []
  for (let n = 0; n < clusters; n++) ids.push(String((await send('POST', '/clusters', { name: `${n}` })).id))
  const changing = Promise.all(
    ids.map(async id => {
      for (let n = 0; n < events / clusters; n++)
        await send('PATCH', `/clusters/${id}`, { name: `${id} ${n}` })
    }),
  )
  for (const replica of stack.processes.activity) {
    const before = receiver.received.length
    // All may have arrived by then.
    await waitUntil('some webhooks', () => receiver.received.length >= Math.min(before + 50, events))
    await killReplica(replica)
  }
  await killServer(stack.postgres, refused)
  await killServer(stack.nats, refused)
  await changing

  const kept = () =>
    sql<{ id: string; aggregate_id: string; sequence: number }[]>`
        select id, aggregate_id, sequence::int from activity.events
        where workspace_id = ${dev.workspace_id} and type like 'clusters.%' and aggregate_id = any (${ids})
        order by position`
  await waitUntil('every event', async () => (await kept()).length >= events)
  const wanted = await kept()
  const arrived = () => new Set(receiver.received.map(({ id }) => id))
  await waitUntil('every webhook', () => wanted.every(({ id }) => arrived().has(id)), {
    everyMs: 250,
  })
  const known = new Map(wanted.map(event => [event.id, event]))
  // A cluster whose creation was answered with an error and sent again exists twice, and only the second is in `ids`.
  const ofThese = receiver.received.filter(({ aggregate_id }) => ids.includes(aggregate_id))
  expect(ofThese.filter(({ id }) => !known.has(id))).toEqual([])
  for (const aggregate of ids) {
    const own = receiver.received.filter(({ aggregate_id }) => aggregate_id === aggregate)
    const firsts = own.filter(({ id }, at) => own.findIndex(other => other.id === id) === at)
    expect(firsts.map(({ sequence }) => sequence)).toEqual(
      wanted.filter(({ aggregate_id }) => aggregate_id === aggregate).map(({ sequence }) => sequence),
    )
  }
})
