/**
 * The cost of a hop over the bus alone: 600 bytes there and back, requester and responder in a process each.
 *
 *   NATS_URL=nats://user:password@host:port IN_FLIGHT=32 SECONDS=3 node nats-request-reply.js
 *
 * prints one line `{"requests":…,"seconds":…,"p50_ms":…,"p99_ms":…,"max_ms":…}` of the time after one second of warm-up.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, createInbox, type NatsConnection } from 'nats'
import { natsAccess } from '../shared/environment.ts'

const role = 'RESPONDS_TO'
const subject = process.env[role]
const bus = await connect({ ...natsAccess(), noAsyncTraces: true })

if (subject) await respond(bus, subject)
else await measure(bus)

async function respond(bus: NatsConnection, subject: string) {
  bus.subscribe(subject, { callback: (_error, message) => void message.respond(message.data) })
  await bus.flush()
  process.send?.('ready')
  process.once('disconnect', () => process.exit())
}

async function measure(bus: NatsConnection) {
  const subject = `floor.${process.pid}`
  const responder = fork(new URL(import.meta.url), { env: { ...process.env, [role]: subject } })
  try {
    await once(responder, 'message')
    const inFlight = Number(process.env.IN_FLIGHT ?? 32)
    const seconds = Number(process.env.SECONDS ?? 3)
    process.stdout.write(`${JSON.stringify(await run(bus, subject, inFlight, seconds))}\n`)
  } finally {
    responder.disconnect()
    await bus.close()
  }
}

/** One inbox for all: each place in flight has its own last token, and sends anew when its answer is there. */
async function run(bus: NatsConnection, subject: string, inFlight: number, seconds: number) {
  const payload = new Uint8Array(600).fill(120)
  const inbox = createInbox()
  const sentAt = new Float64Array(inFlight)
  const latency = createHistogram()
  let stopped = false
  const send = (place: number) => {
    sentAt[place] = performance.now()
    bus.publish(subject, payload, { reply: `${inbox}.${place}` })
  }
  bus.subscribe(`${inbox}.*`, {
    callback: (_error, { subject: answered }) => {
      const place = Number(answered.slice(inbox.length + 1))
      const microseconds = (performance.now() - (sentAt[place] ?? 0)) * 1000
      latency.record(Math.max(1, Math.round(microseconds)))
      if (!stopped) send(place)
    },
  })
  for (let place = 0; place < inFlight; place++) send(place)
  await delay(1000)
  latency.reset()
  const began = performance.now()
  await delay(seconds * 1000)
  stopped = true
  const took = (performance.now() - began) / 1000
  return {
    requests: latency.count,
    seconds: Math.round(took * 1000) / 1000,
    p50_ms: latency.percentile(50) / 1000,
    p99_ms: latency.percentile(99) / 1000,
    max_ms: latency.max / 1000,
  }
}
