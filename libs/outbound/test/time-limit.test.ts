import { createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { onOwnClock } from '@svc/testing/own-clock'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createSender } from '../src/sender.ts'
import { startNameServer } from './dns-server.ts'
import { name, tlsServers } from '@svc/testing/tls-servers'

const timeoutMs = 150
const message = { headers: {}, body: '{}', timeoutMs }

const servers = tlsServers()
let silent: Server
/** How often a server has connected, or said something. */
let steps = 0
const step = () => steps++
beforeAll(async () => {
  silent = createServer(socket => {
    socket.on('error', () => {})
    step()
  }).listen(await freePort(), '127.0.0.1')
  await once(silent, 'listening')
})
afterAll(async () => {
  silent.close()
  await servers.close()
})

const again = (socket: Socket, text: string) => {
  const timer = setInterval(() => {
    socket.write(text)
    step()
  }, 20)
  onTestFinished(() => clearInterval(timer))
}

test.each<[string, number, () => Promise<string>]>([
  [
    'says nothing after the connection',
    1,
    async () => `https://127.0.0.1:${(silent.address() as { port: number }).port}/`,
  ],
  ['says nothing after the request', 1, async () => (await servers.start(step)).url],
  [
    'sends its headers byte by byte',
    5,
    async () => {
      const { url } = await servers.start(socket => {
        socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
        again(socket, 'x')
      })
      return url
    },
  ],
  [
    'sends its body byte by byte',
    5,
    async () => {
      const { url } = await servers.start(socket => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        again(socket, 'x')
      })
      return url
    },
  ],
])('a server that %s', async (_, enough, start) => {
  const { ca, ports } = servers
  const sender = createSender({ allowLoopback: true, ports, lookup: async () => ['127.0.0.1'], ca })
  onTestFinished(() => sender.close())
  steps = 0
  const url = await start()
  await onOwnClock(async clock => {
    const failed = sender.send({ url, ...message }).catch(error => error)
    await waitUntil('it has come so far', () => steps >= enough)
    clock.tick(timeoutMs)
    expect(await failed).toMatchObject({
      code: 'timeout',
      message: 'No complete answer within 0.15 s.',
      durationMs: timeoutMs,
    })
  })
})

test('a name server that says nothing', async () => {
  const { resolver, asked, close } = await startNameServer(() => undefined)
  onTestFinished(close)
  const sender = createSender({ allowLoopback: false, resolver })
  onTestFinished(() => sender.close())
  await onOwnClock(async clock => {
    const failed = expect(sender.send({ url: `https://${name}/`, ...message })).rejects.toMatchObject({
      code: 'timeout',
    })
    await waitUntil('the question', () => asked.length > 0)
    clock.tick(timeoutMs)
    await failed
  })
  expect(asked).toEqual([name])
})
