/** Two servers that speak as much of the protocol as a client needs, and misbehave as the test says. */
import { freePort } from '@svc/local/free-port'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Metrics } from '@svc/telemetry/metrics'
import { onTestFinished } from 'vitest'
import { type Bus, connectBus } from '../src/connection.ts'
import { keepingLog } from './test-bus.ts'

export interface FakeServer {
  readonly url: string
  /** What happens to the next clients: each takes the first entry, and is accepted if there is none. */
  readonly welcomes: ('refuse' | 'ignore')[]
  readonly clients: Socket[]
  /** Stops answering pings, so a client that wants to leave waits. */
  deaf: boolean
  /** Subject and reply subject of each message, in order of arrival. */
  readonly published: { subject: string; reply: string }[]
  /** Accepts no more clients, and tells connected ones that it will close. */
  lameDuck(): void
  answer(reply: string, body: string): void
}

/** A bus connected to the first of them, and what happens to it. */
export async function fakeScene() {
  const servers = await Promise.all([startFake('a'), startFake('b')])
  const { log, kept } = keepingLog()
  const bus = await connectBus(
    { NATS_URL: servers.map(({ url }) => url).join(), NATS_USER: 'gateway', NATS_PASSWORD: 'pw' },
    log,
  )
  onTestFinished(() => bus.close())
  const changes: boolean[] = []
  bus.onChange(connected => void changes.push(connected))
  // The library chooses their order.
  const [from, to] = servers[0].clients.length > 0 ? servers : servers.toReversed()
  return { bus, changes, kept, disconnects: () => disconnectsOf(bus.metrics), from, to } as {
    bus: Bus
    changes: boolean[]
    kept: typeof kept
    disconnects(): Promise<number>
    from: FakeServer
    to: FakeServer
  }
}

export const disconnectsOf = async (metrics: Metrics) =>
  Number(/^svc_bus_disconnects_total (\d+)$/m.exec(await metrics.text())?.[1])

async function startFake(name: string): Promise<FakeServer> {
  const clients: Socket[] = []
  const welcomes: FakeServer['welcomes'] = []
  const published: FakeServer['published'] = []
  /** The last client's inbox prefix, by subscription number. */
  const inboxes = new Map<string, string>()
  const info = (more: object) =>
    `INFO ${JSON.stringify({ server_id: name, version: '2.14.0', headers: true, max_payload: 1_048_576, proto: 1, ...more })}\r\n`
  const server = createServer(client => {
    clients.push(client)
    const welcome = welcomes.shift()
    client.on('error', () => {})
    if (welcome === 'ignore') return
    inboxes.clear()
    client.write(info({}))
    client.on('data', data => {
      for (const line of data.toString().split('\r\n')) {
        const [verb, ...words] = line.split(' ')
        if (verb === 'CONNECT' && welcome === 'refuse') client.end("-ERR 'Authorization Violation'\r\n")
        if (verb === 'PING' && !fake.deaf) client.write('PONG\r\n')
        if (verb === 'SUB' && words[0]?.endsWith('.*')) inboxes.set(words.at(-1) ?? '', words[0].slice(0, -1))
        if (verb === 'PUB')
          published.push({ subject: words[0] ?? '', reply: words.length > 2 ? (words[1] ?? '') : '' })
        if (verb === 'HPUB') published.push({ subject: words[0] ?? '', reply: words[1] ?? '' })
      }
    })
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const client of clients) client.destroy()
  })
  const fake: FakeServer = {
    deaf: false,
    url: `nats://127.0.0.1:${port}`,
    clients,
    welcomes,
    published,
    lameDuck() {
      server.close()
      clients.at(-1)?.write(info({ ldm: true }))
    },
    answer(reply, body) {
      const [sid] = [...inboxes].find(([, inbox]) => reply.startsWith(inbox)) ?? []
      const head = 'NATS/1.0\r\nSvc-Status: 200\r\n\r\n'
      clients
        .at(-1)
        ?.write(`HMSG ${reply} ${sid} ${head.length} ${head.length + body.length}\r\n${head}${body}\r\n`)
    },
  }
  return fake
}
