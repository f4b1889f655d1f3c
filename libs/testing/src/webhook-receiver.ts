/** An HTTP server that gets webhooks, and answers as the test says. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Received {
  readonly id: string
  readonly type: string
  readonly aggregate_id: string
  readonly sequence: number
  readonly body: string
  readonly headers: Record<string, string>
}

export interface Behaviour {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Sequences, in order of arrival. */
  readonly sequences: (aggregate?: string) => number[]
  answer: (received: Received) => Behaviour | Promise<Behaviour>
  stop(): void
}

export async function startReceiver(answer: Receiver['answer'] = () => ({ status: 204 })): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const one = await read(request)
    received.push(one)
    const { status, headers, body } = await receiver.answer(one)
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    sequences: aggregate =>
      received
        .filter(({ aggregate_id }) => aggregate === undefined || aggregate_id === aggregate)
        .map(({ sequence }) => sequence),
    answer,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}

async function read(request: IncomingMessage): Promise<Received> {
  const body = await text(request)
  const { id, type, aggregate_id, sequence } = JSON.parse(body)
  return { id, type, aggregate_id, sequence, body, headers: request.headers as Record<string, string> }
}
