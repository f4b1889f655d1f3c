// In `npm test`: events.test.ts and move.test.ts.
/** Events in a cluster of three whose servers are told to leave (lame duck), as in every rollout of it. */
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import type { ClusterServer } from '@svc/testing/stack/nats-cluster'
import { patient } from '@svc/testing/read-events'
import { ErrorCode, type NatsError } from 'nats'
import { expect, test } from 'vitest'
import type { Bus } from '../../src/connection.ts'
import { type EventStream, openEventStream } from '../../src/events/events.ts'
import { isAt, startCluster } from '../cluster.ts'
import { silent } from '../test-bus.ts'

const config = { EVENTS_MAX_AGE_DAYS: 7, EVENTS_MAX_BYTES: 2 ** 24, EVENTS_REPLICAS: 3 }

test('while servers leave one after the other, events are stored all the time, each once and in order', async () => {
  const { servers, connect, kept } = await startCluster({ size: 3, streams: true })
  await Promise.all(servers.map(server => server.healthy()))
  const offers = await connect('activity', 0)
  const load = startPublishing(openEventStream(offers, config, silent))
  const goesOn = async () => {
    const before = load.published.length
    await waitUntil('events are stored', () => load.published.length > before + 50)
  }

  await goesOn()
  for (const server of servers) {
    await server.kill('SIGUSR2')
    await waitUntil('the service is elsewhere', () => offers.connected && !isAt(offers, server))
    await goesOn()
    await restart(server)
  }
  const published = await load.stop()

  expect(await idsIn(await connect('backoffice', 1), published.length)).toEqual(published)
  expect(await offers.metrics.text()).toContain('svc_bus_disconnects_total 0')
  expect(kept.filter(({ level }) => level === 'error')).toEqual([])
})

async function restart(server: ClusterServer) {
  await server.kill('SIGKILL')
  await waitUntil('it has ended', () => !server.running())
  await server.restart()
  await server.healthy()
}

/** Event after event; ten at a time; what the stream has not acknowledged is published again. */
function startPublishing(offers: EventStream) {
  const published: string[] = []
  let going = true
  const work = (async () => {
    while (going) {
      let events = Array.from({ length: 10 }, () => ({
        id: newId('evt'),
        subject: 'events.offers.created',
        body: '{}',
        cursor: 'cDE',
      }))
      await waitUntil('they are stored', async () => {
        const { length } = await offers.publish(events).catch(() => [])
        published.push(...events.slice(0, length).map(({ id }) => id))
        events = events.slice(length)
        return events.length === 0
      })
      await delay(20)
    }
  })()
  return {
    published,
    async stop() {
      going = false
      await work
      return published
    },
  }
}

function ignoreNoResponders(error: NatsError) {
  if (error.code !== ErrorCode.NoResponders) throw error
}

/** As an operator's program reads them, and none comes after the last. */
async function idsIn({ nc }: Bus, count: number) {
  const manager = await nc.jetstreamManager(patient)
  expect((await manager.streams.info('EVENTS')).state.messages).toBe(count)
  const ids: string[] = []
  const consumer = await nc.jetstream(patient).consumers.get('EVENTS')
  const read = async () => {
    for await (const { headers } of await consumer.fetch({ max_messages: count - ids.length, expires: 5000 }))
      ids.push(headers?.get('Nats-Msg-Id') ?? '')
  }
  // The server that came last may not have a leader for the consumer yet.
  await waitUntil('everything is read', async () => {
    await read().catch(ignoreNoResponders)
    return ids.length >= count
  })
  return ids
}
