import { createServer } from 'node:http'
import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { scaled } from '@svc/contract/core/deadline-scale'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { OutboundError } from '../src/outbound-error.ts'
import { createSender, type Outgoing, type SenderOptions } from '../src/sender.ts'
import { http, name, tlsServers } from '@svc/testing/tls-servers'

const message = {
  headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
  body: '{"note":"✓"}',
}

const servers = tlsServers()
afterAll(servers.close)

/** Sends to servers of this machine by the name that their certificate has. */
function senderHere(options: Partial<SenderOptions> = {}) {
  const lookup = async () => ['127.0.0.1']
  const sender = createSender({
    allowLoopback: true,
    ports: servers.ports,
    lookup,
    ca: servers.ca,
    ...options,
  })
  onTestFinished(() => sender.close())
  return {
    ...sender,
    send: (one: Partial<Outgoing>) => sender.send({ url: '', timeoutMs: 60_000, ...message, ...one }),
  }
}

test('what is sent arrives as it is, under the name of the URL', async () => {
  const { url, port, requests } = await servers.start(socket => socket.write(http('204 No Content')))
  expect(await senderHere().send({ url: `${url}?a=%20b` })).toEqual({
    status: 204,
    text: '',
    retryAfterSeconds: undefined,
    durationMs: expect.any(Number),
  })
  const [head = '', body] = requests[0]?.split('\r\n\r\n') ?? []
  expect(head.split('\r\n')).toEqual([
    'POST /in?a=%20b HTTP/1.1',
    'content-type: application/json',
    'webhook-id: evt_1',
    'Content-Length: 14',
    `Host: ${name}:${port}`,
    'Connection: keep-alive',
  ])
  expect(Buffer.from(body ?? '', 'latin1').toString()).toBe(message.body)
})

test.each(['200 OK', '400 Bad Request', '410 Gone', '500 Internal Server Error'])(
  '%s is an answer',
  async line => {
    const { url } = await servers.start(socket => socket.write(http(line, {}, 'what the receiver says')))
    expect((await senderHere().send({ url })).status).toBe(Number(line.slice(0, 3)))
  },
)

test.each([
  ['120', 120],
  ['Mon, 23 Nov 2026 12:00:30 GMT', 30],
  ['Mon, 23 Nov 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  ['-1', undefined],
  ['1e9', undefined],
])('Retry-After: %s asks for %s s', async (value, seconds) => {
  const { url } = await servers.start(socket =>
    socket.write(http('429 Too Many Requests', { 'Retry-After': value })),
  )
  const { send } = senderHere({ now: () => Date.UTC(2026, 10, 23, 12) })
  expect(await send({ url })).toMatchObject({ status: 429, retryAfterSeconds: seconds })
})

test.each(['http://169.254.169.254/latest/meta-data/', 'https://hooks.example.test/elsewhere'])(
  'a redirect to %s is not followed',
  async location => {
    const { url, connections } = await servers.start(socket =>
      socket.write(http('307 Temporary Redirect', { Location: location })),
    )
    await expect(senderHere().send({ url })).rejects.toMatchObject({ code: 'redirect', status: 307 })
    expect(connections()).toBe(1)
  },
)

/** @returns when the other end has closed the connection */
function endlessly(socket: TLSSocket, beginning: string, rest: string): Promise<unknown> {
  socket.write(beginning)
  const more = () => {
    while (!socket.destroyed && socket.write(rest));
  }
  socket.on('drain', more)
  more()
  return new Promise(resolve => socket.once('close', resolve))
}

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

test.each([
  ['body', chunked, `4000\r\n${'x'.repeat(0x4000)}\r\n`],
  ['row of small chunks with extensions', chunked, '1;a=bcdefghij\r\nx\r\n'],
])('an answer with an endless %s is cut off, and counts', async (_, beginning, rest) => {
  let closed: Promise<unknown> | undefined
  const { url } = await servers.start(socket => {
    closed = endlessly(socket, beginning, rest)
  })
  expect((await senderHere().send({ url })).status).toBe(200)
  await closed
})

test.each([
  ['headers', 'HTTP/1.1 200 OK\r\n', 'X-More: xxxxxxxx\r\n', 'HPE_HEADER_OVERFLOW'],
  ['trailers', `${chunked}0\r\n`, 'X-More: xxxxxxxx\r\n', ''],
])('endless %s are no answer', async (_, beginning, rest, reason) => {
  let closed: Promise<unknown> | undefined
  const { url } = await servers.start(socket => {
    closed = endlessly(socket, beginning, rest)
  })
  await expect(senderHere().send({ url })).rejects.toMatchObject({
    code: 'protocol',
    message: expect.stringContaining(reason),
  })
  await closed
})

test.each([100, 102, 103])('three interim responses with %i are read, and a fourth is not', async status => {
  const interim = `HTTP/1.1 ${status} Wait\r\nLink: </style.css>\r\n\r\n`
  const some = await servers.start(socket => socket.write(interim.repeat(3) + http('204 No Content')))
  expect((await senderHere().send(some)).status).toBe(204)
  let closed: Promise<unknown> | undefined
  const endless = await servers.start(socket => {
    closed = endlessly(socket, '', interim)
  })
  await expect(senderHere().send(endless)).rejects.toMatchObject({
    code: 'protocol',
    message: 'The answer has more than 3 interim answers.',
  })
  await closed
})

test('interim answers, headers and body count together', async () => {
  const long = `X-Long: ${'x'.repeat(15_000)}`
  const answer = `${`HTTP/1.1 103 Early Hints\r\n${long}\r\n\r\n`.repeat(3)}HTTP/1.1 200 OK\r\n${long}\r\nContent-Length: 6000\r\n\r\n`
  // The last byte never comes, so it ends by the bound or not at all.
  const { url } = await servers.start(socket => socket.write(answer + 'x'.repeat(5999)))
  expect((await senderHere().send({ url })).status).toBe(200)
})

test('where whoever sends wants to be asked, they are with a connection, before anything is sent', async () => {
  const { url, requests, connections } = await servers.start(socket => socket.write(http('200 OK')))
  const { send } = senderHere()
  const seen: number[][] = []
  const begin = async () => {
    seen.push([connections(), requests.length])
    return { 'webhook-signature': 'v1,x' }
  }
  await send({ url, begin })
  await send({ url, begin })
  expect(seen).toEqual([
    [1, 0],
    [1, 1],
  ])
  expect(requests[1]).toContain('webhook-signature: v1,x')
  await expect(send({ url, begin: async () => undefined })).rejects.toMatchObject({ code: 'aborted' })
  expect(requests).toHaveLength(2)
})

test('they are asked again for another connection, and their own time is not that of the receiver', async () => {
  let asked = 0
  const { url, requests } = await servers.start(socket => {
    if (requests.length === 2) socket.destroy()
    else socket.write(http('200 OK'))
  })
  const { send } = senderHere()
  const begin = async () => {
    asked++
    return {}
  }
  await send({ url, begin })
  await send({ url, begin })
  expect([requests.length, asked]).toEqual([3, 3])
  const late = send({ url, begin: () => new Promise(() => {}), timeoutMs: scaled(200) })
  await expect(late).rejects.toMatchObject({ code: 'aborted' })
  expect(requests).toHaveLength(3)
})

test.each([1, 1024, 40_000])('%i bytes after an answer end its connection, and nothing else', async count => {
  const answer = http('200 OK', { 'X-Long': '' })
  const exact = answer.replace('X-Long: ', `X-Long: ${'x'.repeat(1024 - answer.length)}`)
  const { url } = await servers.start(socket => socket.write(exact + 'x'.repeat(count)))
  const { send } = senderHere()
  expect((await send({ url })).status).toBe(200)
  expect((await send({ url })).status).toBe(200)
})

test('an answer before its request, and more after it, end the connection and nothing else', async () => {
  const early = createTcpServer(socket => {
    socket.on('error', () => {}).resume()
    socket.write(http('200 OK'))
  })
  const more = new Promise<Socket>(resolve => early.once('connection', resolve))
  early.listen(await freePort(), '127.0.0.1')
  await once(early, 'listening')
  onTestFinished(() => void early.close())
  const { port } = early.address() as AddressInfo
  const begin = async () => {
    const socket = await more
    socket.write('x')
    await once(socket, 'close')
    return {}
  }
  const { send } = senderHere({ ports: [port] })
  await send({ url: `http://127.0.0.1:${port}/`, begin }).catch(error =>
    expect(error).toBeInstanceOf(OutboundError),
  )
})

test('a connection is used again', async () => {
  const { url, connections } = await servers.start(socket => socket.write(http('200 OK')))
  const { send } = senderHere()
  await send({ url })
  await send({ url })
  expect(connections()).toBe(1)
})

test('a kept connection that is closed under a request is replaced', async () => {
  let asked = 0
  const { url, connections } = await servers.start(socket => {
    if (++asked === 2) socket.destroy()
    else socket.write(http('200 OK'))
  })
  const { send } = senderHere()
  await send({ url })
  expect((await send({ url })).status).toBe(200)
  expect(connections()).toBe(2)
})

test.each<
  [string, (socket: { write(text: string): unknown; destroy(): unknown; end(): unknown }) => unknown]
>([
  ['closes at once', socket => socket.destroy()],
  ['says good-bye at once', socket => socket.end()],
  ['speaks another protocol', socket => socket.write('220 mail.example.test ESMTP\r\n')],
  [
    'switches to another protocol',
    socket => socket.write(http('101 Switching Protocols', { Upgrade: 'x', Connection: 'upgrade' })),
  ],
  [
    'has two lengths',
    socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'),
  ],
  [
    'ends in the middle of its answer',
    socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx')
      socket.end()
    },
  ],
])('a server that %s has not answered', async (_, answer) => {
  const { url } = await servers.start(answer)
  await expect(senderHere().send({ url })).rejects.toMatchObject({ code: 'protocol' })
})

test('nobody listens there', async () => {
  const { send } = senderHere()
  const failed = send({ url: `https://127.0.0.1:${await freePort()}/` })
  await expect(failed).rejects.toMatchObject({
    code: 'connect',
    message: 'No connection was made: ECONNREFUSED.',
    durationMs: expect.any(Number),
  })
})

test.each([
  ['is for another name', 'other.example.test', true, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['comes from an unknown authority', name, false, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
])('a certificate that %s', async (_, host, known, reason) => {
  const { url, requests } = await servers.start(socket => socket.write(http('200 OK')))
  const { send } = senderHere(known ? {} : { ca: undefined })
  await expect(send({ url: url.replace(name, host) })).rejects.toMatchObject({
    code: 'tls',
    message: `No TLS connection to the host of the URL was made: ${reason}.`,
  })
  expect(requests).toEqual([])
})

test('http is for loopback, where it is allowed', async () => {
  const server = createServer((_, response) => response.end()).listen(await freePort(), '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const url = `http://localhost:${port}/`
  expect((await senderHere().send({ url })).status).toBe(200)
  await expect(senderHere({ allowLoopback: false }).send({ url })).rejects.toMatchObject({
    code: 'target_not_allowed',
  })
})

test('whoever asked may stop it', async () => {
  const { url, connections } = await servers.start(() => {})
  const asked = new AbortController()
  const stopped = senderHere().send({ url, signal: asked.signal })
  const refused = expect(stopped).rejects.toMatchObject({ code: 'aborted' })
  await waitUntil('it is on its way', async () => connections() === 1)
  asked.abort()
  await refused
  await expect(senderHere().send({ url, signal: asked.signal })).rejects.toMatchObject({ code: 'aborted' })
  expect(connections()).toBe(1)
})
