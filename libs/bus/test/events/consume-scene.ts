/** A bus with an extra service, `notes`, which consumes events of offers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bySystem } from '@svc/contract/core/actor'
import type { BusEntry } from '@svc/contract/bus-permissions'
import { newId } from '@svc/runtime/id'
import { type TestNats, startTestNats } from '@svc/testing/stack/nats'
import { createMetrics } from '@svc/telemetry/metrics'
import { onTestFinished } from 'vitest'
import { type Bus, type BusLog, connectBus } from '../../src/connection.ts'
import { consume, type ConsumeOptions } from '../../src/events/consume.ts'
import { openEventStream } from '../../src/events/events.ts'
import { silent } from '../test-bus.ts'

const config = { EVENTS_MAX_AGE_DAYS: 7, EVENTS_MAX_BYTES: 2 ** 30, EVENTS_REPLICAS: 1 }
export const notes: BusEntry = { calls: [], emits: [], consumes: ['offers.created', 'offers.revoked'] }

export type Handlers = ConsumeOptions<unknown>['handlers']
export type Settings = Partial<Omit<ConsumeOptions<unknown>, 'handlers'>>

export async function newScene() {
  const nats = await startTestNats({ more: { notes } })
  const buses: Bus[] = []
  onTestFinished(async () => {
    await Promise.all(buses.map(bus => bus.close()))
    await nats.stop()
  })
  const connect = async (user: Parameters<TestNats['user']>[0] | 'notes', log: BusLog = silent) => {
    const access = user === 'notes' ? accessOfNotes(nats) : nats.user(user)
    const bus = await connectBus(access, log, createMetrics())
    buses.push(bus)
    return bus
  }
  const offers = openEventStream(await connect('offers'), config, silent)
  return {
    nats,
    connect,
    /** Publishes an event about each of these aggregates. */
    async publish(aggregates: readonly string[], type: 'created' | 'revoked' = 'created', data?: object) {
      for (const aggregate of aggregates) {
        const stored = await offers.publish(eventOf(aggregate, type, data))
        if (stored !== 'stored') throw new Error(`The event of ${aggregate} is ${stored}.`)
      }
    },
    /** A replica of `notes`. */
    async replica(handlers: Handlers, { log = silent, ...settings }: Settings = {}) {
      const bus = await connect('notes', log)
      const consumption = consume(bus, 'notes', {
        handlers,
        deps: delivery => delivery,
        config,
        log,
        ackSeconds: 60,
        pauses: [0.05, 0.05],
        ...settings,
      })
      return { bus, drain: consumption.drain }
    },
    /** A replica in its own process, which is killed in the middle of its first event. */
    async replicaThatCrashes() {
      const { NATS_URL, NATS_PASSWORD } = accessOfNotes(nats)
      const script = fileURLToPath(new URL('consume-and-crash.mjs', import.meta.url))
      const child = spawn(process.execPath, [script], {
        env: { ...process.env, NATS_URL, NATS_PASSWORD },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const [[line]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')])
      return String(line).trim()
    },
  }
}

/** As the relay of offers publishes it. */
export function eventOf(
  aggregate: string,
  type: 'created' | 'revoked' = 'created',
  data: object = dataOf[type],
) {
  const id = newId('msg')
  const { actor, ...by } = bySystem('test')
  const message = {
    id,
    type: `offers.${type}`,
    aggregate_id: aggregate,
    sequence: 1,
    created_at: 1,
    actor: JSON.parse(actor),
    request_id: by.request_id,
    changes: null,
    data,
  }
  return { id, subject: `events.offers.${type}`, body: JSON.stringify(message) }
}

const dataOf = {
  created: {
    workspace_id: 'ws_1',
    product_id: null,
    package_version_id: 'pkgv_1',
    offer_channel_id: null,
    policy_number: null,
  },
  revoked: { workspace_id: 'ws_1' },
}

const accessOfNotes = (nats: TestNats) => ({ ...nats.user('monitor'), NATS_USER: 'notes' })
