// The product's own connections while a server is frozen are in connection.test.ts.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { scaled } from '@svc/contract/core/deadline-scale'
import { waitUntil } from '@svc/local/wait-until'
import { type ConnectionOptions, connect } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { closeAbandonedDials } from '../../src/nats-internals/abandoned-dial.ts'

test('nats.js itself makes one connection too many when the server closes an attempt that was given up', async () => {
  const { abandoned, clients } = await abandonDial(connectUnpatched)
  expect(abandoned.closed).toBe(false)
  const before = clients.length
  abandoned.write(greeting)
  abandoned.end()
  await waitUntil('a connection that nobody needs', () => clients.length > before)
})

test('an attempt that is given up is closed by the client', async () => {
  closeAbandonedDials()
  const { abandoned, clients } = await abandonDial(async options => {
    const nc = await connect(options)
    onTestFinished(() => nc.close())
  })
  await waitUntil('its end', () => abandoned.closed)
  await waitUntil('one connection is left', () => clients.filter(({ closed }) => !closed).length === 1)
})

/** In a thread, which loads the library again, because this process has patched it for good. */
async function connectUnpatched(options: ConnectionOptions) {
  const script = `
    const { workerData } = require('node:worker_threads')
    require(workerData.library).connect(workerData.options)
  `
  const library = createRequire(import.meta.url).resolve('nats')
  const worker = new Worker(script, { eval: true, workerData: { library, options } })
  onTestFinished(() => void worker.terminate())
}

/** A client that lost its connection, waited in vain for a frozen server, and is connected again. */
async function abandonDial(connectTo: (options: ConnectionOptions) => Promise<void>) {
  const server = await startServer()
  const { address: servers, clients, greeted } = server
  await connectTo({ servers, timeout: scaled(500), reconnectTimeWait: 10, waitOnFirstConnect: true })
  await waitUntil('the first connection', () => greeted.length === 1)
  server.frozen = true
  const before = clients.length
  greeted[0]?.destroy()
  await waitUntil('an attempt', () => clients.length > before)
  const abandoned = clients[before]
  await waitUntil('another attempt', () => clients.length > before + 1)
  server.frozen = false
  await waitUntil('the second connection', () => greeted.length === 2)
  if (!abandoned) throw new Error('There was no attempt.')
  return { abandoned, clients }
}

const greeting = `INFO ${JSON.stringify({ server_id: 'a', version: '2.14.0', headers: true, max_payload: 1_048_576 })}\r\n`

/** As much of a server as a client needs that only pings. While it is frozen it accepts clients and sends nothing. */
async function startServer() {
  const clients: Socket[] = []
  /** Those that have sent their first ping. */
  const greeted: Socket[] = []
  const listener = createServer(client => {
    clients.push(client)
    client.on('error', () => {})
    if (server.frozen) return client.resume()
    client.write(greeting)
    client.on('data', data => {
      if (!data.includes('PING\r\n')) return
      if (!greeted.includes(client)) greeted.push(client)
      client.write('PONG\r\n')
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => {
    listener.close()
    for (const client of clients) client.destroy()
  })
  const { port } = listener.address() as AddressInfo
  const server = { clients, greeted, frozen: false, address: `127.0.0.1:${port}` }
  return server
}
