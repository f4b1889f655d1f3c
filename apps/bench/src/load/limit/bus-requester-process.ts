/** Requests over NATS; nobody reads the answers. */
import { openMux } from '@svc/bus/mux'
import { type BusMessage, connectWith, subject } from './bus-message.ts'
import { serveDriver } from './drive.ts'

export interface BusOrder {
  readonly connections: number
  readonly url: string
  readonly request: BusMessage
}

const patienceMs = 30_000

serveDriver(async ({ url, request: { headers, body } }: BusOrder) => {
  const bus = await connectWith(url)
  const mux = openMux(bus, {
    read: () => {},
    unanswered(why) {
      throw new Error(`A request over NATS was not answered: ${why}.`)
    },
    deadlineOf: (_, now) => now + patienceMs,
  })
  const request = { subject, body: Buffer.from(body) }
  return { once: () => mux.ask(request, headers), end: () => bus.close() }
})
