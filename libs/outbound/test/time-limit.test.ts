import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { freePort } from '@svc/local/free-port'
import { patience } from '@svc/testing/size'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createSender } from '../src/sender.ts'
import { startNameServer } from './dns-server.ts'
import { name, type TlsServers, tlsServers } from './tls-servers.ts'

const timeoutMs = 150
const message = { headers: {}, body: '{}', timeoutMs }

let servers: TlsServers
let silent: Server
beforeAll(async () => {
  servers = await tlsServers()
  silent = createServer(socket => socket.on('error', () => {})).listen(await freePort(), '127.0.0.1')
  await once(silent, 'listening')
})
afterAll(async () => {
  silent.close()
  await servers.close()
})

const every = (ms: number, say: () => void) => {
  const timer = setInterval(say, ms)
  onTestFinished(() => clearInterval(timer))
}

test.each<[string, () => Promise<string>]>([
  [
    'says nothing after the connection',
    async () => `https://${name}:${(silent.address() as { port: number }).port}/`,
  ],
  ['says nothing after the request', async () => (await servers.start(() => {})).url],
  [
    'sends its headers byte by byte',
    async () => {
      const { url } = await servers.start(socket => {
        socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
        every(20, () => socket.write('x'))
      })
      return url
    },
  ],
  [
    'sends its body byte by byte',
    async () => {
      const { url } = await servers.start(socket => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        every(20, () => socket.write('x'))
      })
      return url
    },
  ],
  [
    'sends interim answers without end',
    async () => {
      const { url } = await servers.start(socket =>
        every(20, () => socket.write('HTTP/1.1 102 Processing\r\n\r\n')),
      )
      return url
    },
  ],
])('a server that %s', async (_, start) => {
  const sender = createSender({ allowLoopback: true, lookup: async () => ['127.0.0.1'], ca: servers.ca })
  onTestFinished(() => sender.close())
  const failed = await sender.send({ url: await start(), ...message }).catch(error => error)
  expect(failed).toMatchObject({ code: 'timeout', message: 'No complete answer within 0.15 s.' })
  expect(failed.durationMs).toBeGreaterThanOrEqual(timeoutMs - 1)
  expect(failed.durationMs).toBeLessThan(timeoutMs + patience(1000))
})

test('a name server that says nothing', async () => {
  const { resolver, asked, close } = await startNameServer(() => undefined)
  onTestFinished(close)
  const sender = createSender({ allowLoopback: false, resolver })
  onTestFinished(() => sender.close())
  const failed = sender.send({ url: `https://${name}/`, ...message })
  await expect(failed).rejects.toMatchObject({ code: 'timeout' })
  expect(asked).toEqual([name])
})
