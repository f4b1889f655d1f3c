// In `npm test`: events.test.ts and move.test.ts.
/** Events by durable consumers in a cluster of three whose servers are told to leave (lame duck), as in every rollout of it. */
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@svc/local/wait-until'
import { expect, test } from 'vitest'
import { consume } from '../../src/events/consume.ts'
import { type EventStream, openEventStream } from '../../src/events/events.ts'
import { isAt, type Server, startCluster } from '../cluster.ts'
import { silent } from '../test-bus.ts'
import { eventOf, notes } from './consume-scene.ts'

const config = { EVENTS_MAX_AGE_DAYS: 7, EVENTS_MAX_BYTES: 2 ** 24, EVENTS_REPLICAS: 3 }
const places = 4

test('servers that leave one after the other: events are consumed all the time, none is lost, hardly one comes twice', async () => {
  const { servers, connect, kept, log } = await startCluster({ size: 3, streams: true, more: { notes } })
  await Promise.all(servers.map(server => server.healthy()))
  const handled = new Map<string, number>()
  const handlers = {
    'offers.created': async ({ aggregate_id }: { aggregate_id: string }) => {
      await delay(5)
      handled.set(aggregate_id, (handled.get(aggregate_id) ?? 0) + 1)
    },
  }
  const buses = await Promise.all([0, 0, 1].map(at => connect('notes', at)))
  for (const bus of buses)
    consume(bus, 'notes', { handlers, deps: delivery => delivery, config, log, places, ackSeconds: 30 })
  const offers = openEventStream(await connect('offers', 2), config, silent)
  const load = startPublishing(offers)
  const goesOn = async () => {
    const before = handled.size
    await waitUntil('events are handled', () => handled.size > before + 50)
  }

  await goesOn()
  const leaving = servers.slice(0, 3)
  for (const server of leaving) {
    await server.kill('SIGUSR2')
    await waitUntil('everyone is elsewhere', () => buses.every(bus => bus.connected && !isAt(bus, server)))
    await goesOn()
    await restart(server)
  }
  const published = await load.stop()

  await waitUntil('all of them', () => published.every(name => handled.has(name)))
  expect(handled.size).toBe(published.length)
  // An acknowledgement that is on its way while the leader of the consumer changes is lost.
  const again = [...handled.values()].reduce((sum, times) => sum + times - 1, 0)
  expect(again).toBeLessThanOrEqual(leaving.length * buses.length * places)
  for (const bus of buses) expect(await bus.metrics.text()).toContain('svc_bus_disconnects_total 0')
  expect(kept.filter(({ level }) => level === 'error')).toEqual([])
})

async function restart(server: Server) {
  await server.kill('SIGKILL')
  await waitUntil('it has ended', () => !server.running())
  await server.restart()
  await server.healthy()
}

/** Event after event; what the stream has not acknowledged is published again, as a relay does. */
function startPublishing(offers: EventStream) {
  const published: string[] = []
  let going = true
  const work = (async () => {
    while (going) {
      const name = `offer_${published.length}`
      const event = eventOf(name)
      await waitUntil('it is stored', async () => (await offers.publish(event)) === 'stored')
      published.push(name)
      await delay(2)
    }
  })()
  return {
    async stop() {
      going = false
      await work
      return published
    },
  }
}
