// A client that sends all of its body before it reads gets the answer to it, and no broken connection (RFC 9112, 9.6).
import { createLog } from '@svc/runtime/log'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { onOwnClock } from '@svc/testing/own-clock'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { linger } from '../../../src/edge/http/linger.ts'
import { createServer as createGateway } from '../../../src/server.ts'
import { parseAnswers, type RawRequest, rawRequest } from '../../raw-http.ts'
import { json, post, refusalScene } from './refusal-scene.ts'

const scene = refusalScene()
const { authorised } = scene

let addresses = 150
/** Each request gets its own address, because a sender of this much has to wait. */
const newAddress = () => (process.platform === 'linux' ? `127.0.0.${addresses++}` : undefined)

const connectTo = (url: string, localAddress = newAddress()) => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Writes everything, then reads until the other side is done. Throws where the connection breaks. */
async function writtenThenRead(url: string, bytes: Buffer, from?: string) {
  const socket = connectTo(url, from)
  await once(socket, 'connect')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(bytes, error => (error ? reject(error) : resolve()))
  })
  const received: Buffer[] = []
  for await (const chunk of socket) received.push(chunk as Buffer)
  return parseAnswers(Buffer.concat(received))
}

const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'a')
const chunked = (body: Buffer) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
const body = megabytes(5)

const form = 'Content-Type: application/x-www-form-urlencoded'
const inChunks = 'Transfer-Encoding: chunked'
const session = () => [
  `Authorization: Bearer ${scene.stack.dev.member.session_token}`,
  `Svc-Context: ${scene.stack.dev.workspace_id}`,
]

describe('five megabytes are read on where they are refused', () => {
  test.each<[string, number, () => RawRequest]>([
    ['too large', 413, () => authorised(post({ headers: [json], body }))],
    ['too large, in chunks', 413, () => authorised(post({ headers: [json, inChunks], body: chunked(body) }))],
    ['without a credential', 401, () => post({ headers: [json], body })],
    ['without a credential, in chunks', 401, () => post({ headers: [json, inChunks], body: chunked(body) })],
    [
      'without permission',
      403,
      () => post({ target: '/v1/webhook_endpoints', headers: [json, ...session()], body }),
    ],
    ['to an unknown path', 404, () => post({ target: '/v1/nope', headers: [json], body })],
    ['with a method that is none here', 405, () => ({ method: 'PUT', target: '/v1/offers', body })],
    ['as text', 415, () => authorised(post({ headers: ['Content-Type: text/plain'], body }))],
    ['compressed', 415, () => authorised(post({ headers: [json, 'Content-Encoding: gzip'], body }))],
    ['with too many headers', 431, () => ({ headers: Array(1001).fill('a:1'), body })],
    [
      'as a form that nobody was shown',
      403,
      () => ({ method: 'POST', target: '/sign-in', headers: [form], body }),
    ],
    ['of an OAuth client', 413, () => ({ method: 'POST', target: '/oauth/token', headers: [form], body })],
    ['after headers that the parser refuses', 431, () => ({ headers: [`a: ${'a'.repeat(20_000)}`], body })],
  ])('%s: %d', async (_, status, request) => {
    const answers = await writtenThenRead(scene.stack.dev.base_url, rawRequest(request()))
    expect(answers.map(one => one.status)).toEqual([status])
    expect(answers[0]?.headers.get('connection')).toBe('close')
  })
})

test('the rest of a short body is read, and the connection goes on', async () => {
  const url = scene.stack.dev.base_url
  const socket = connectTo(url)
  let received = Buffer.alloc(0)
  socket.on('data', chunk => {
    received = Buffer.concat([received, chunk])
  })
  const answered = (count: number) =>
    waitUntil(`answer ${count}`, () => parseAnswers(received).length === count)
  const first = rawRequest(post({ headers: [json], body: 'a'.repeat(200_000) }))
  socket.write(first.subarray(0, 1000))
  await answered(1)
  socket.write(first.subarray(1000))
  socket.write(rawRequest({ target: '/livez' }))
  await answered(2)
  expect(parseAnswers(received).map(({ status }) => status)).toEqual([401, 200])
})

describe('before the service is asked', () => {
  let url: string
  let close: () => Promise<void>
  const unused = () => Promise.reject(new Error('not connected'))
  beforeAll(async () => {
    const app = createGateway({
      call: unused,
      resolve: unused,
      publicUrl: 'http://svc.example',
      trustedProxies: [],
      signingKeys: () => [],
      connected: () => false,
      maxInFlight: 8,
      maxConnectionsPerAddress: 2,
      log: createLog('test', 'silent'),
    })
    url = await app.listen({ port: await freePort(), host: '127.0.0.1' })
    close = () => app.close()
  })
  afterAll(() => close?.())

  const request = () => rawRequest(post({ headers: [json], body }))
  const statusesOf = async (from?: string) =>
    (await writtenThenRead(url, request(), from)).map(({ status }) => status)

  test('without a bus: 503', async () => {
    expect(await statusesOf()).toEqual([503])
  })

  test('on one connection too many: 429', async () => {
    const from = newAddress()
    const others = [connectTo(url, from), connectTo(url, from)]
    await Promise.all(others.map(one => once(one, 'connect')))
    expect(await statusesOf(from)).toEqual([429])
  })
})

describe('what is read on is bounded', () => {
  /** A server that refuses whoever comes; where its connections end. */
  async function refusing(bounds?: Parameters<typeof linger>[3]) {
    const ended: number[] = []
    let came = 0
    const server = createServer({ allowHalfOpen: true }, socket => {
      const number = came++
      socket.on('error', () => {})
      socket.resume()
      socket.once('close', () => ended.push(number))
      linger(socket, 'no', undefined, bounds)
    })
    const port = await freePort()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return { url: `http://127.0.0.1:${port}`, ended }
  }

  test('in bytes: a body without an end is cut off', async () => {
    const socket = connectTo(scene.stack.dev.base_url)
    socket.on('error', () => {})
    socket.write(rawRequest(post({ headers: [json, 'Content-Length: 9999999999'], body: '{' })))
    await sentUntilClosed(socket)
    // What was read on, and what the buffers between the two hold.
    expect(socket.bytesWritten).toBeLessThan(48 * 1024 * 1024)
  })

  test('in time: who sends nothing more is closed', async () => {
    const { url, ended } = await refusing()
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    socket.resume()
    await waitUntil('the end of who sends nothing', () => ended.length === 1)
  })

  test('in number: past it the one that has lingered longest is closed', () =>
    // On which no time passes, so none is closed because of it.
    onOwnClock(async () => {
      const { url, ended } = await refusing({ bytes: 1e9, connections: 2 })
      for (let n = 0; n < 3; n++) {
        const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true })
        onTestFinished(() => void socket.destroy())
        const [text] = await once(socket, 'data')
        expect(String(text)).toBe('no')
      }
      await waitUntil('the end of the first', () => ended.length > 0)
      expect(ended).toEqual([0])
    }))
})

/** Resolves when the connection is gone. */
const sentUntilClosed = (socket: Socket) =>
  new Promise<void>(resolve => {
    const piece = megabytes(1)
    const send = (error?: Error | null) => void (error || socket.write(piece, send))
    socket.once('close', () => resolve())
    send()
  })
