/**
 * A forward proxy: it tunnels what asks for it by CONNECT, and passes on requests for a whole URL. To it every name is one of this
 * machine, so that tests reach by it what they could not reach otherwise.
 */
import { createServer, type IncomingMessage, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { freePort } from '@svc/local/free-port'

export interface ForwardProxyOptions {
  /** `user:password`; without them it answers 407. */
  readonly credentials?: string
  /** It answers this, and passes nothing on. */
  readonly refusal?: number
  /** For a proxy by https. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

export interface ForwardProxy {
  readonly port: number
  /** What it was asked for, as `CONNECT api.example.test:443` or `GET http://api.example.test/v1`. */
  readonly asked: string[]
  stop(): void
}

export async function startForwardProxy(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const { tls } = options
  const asked: string[] = []
  const sockets = new Set<Duplex>()
  const keep = (socket: Duplex) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = tls ? createSecureServer(tls) : createServer()
  server.on('connection', (socket: Socket) => keep(socket))
  server.on('request', (incoming, response) => {
    const status = refusalOf(incoming, options)
    asked.push(`${incoming.method} ${incoming.url}`)
    if (status) return void response.writeHead(status, challenge).end()
    const { hostname: _, port, pathname, search } = new URL(incoming.url ?? '')
    const { 'proxy-authorization': __, ...headers } = incoming.headers
    const onward = request({ ...here, port, path: pathname + search, method: incoming.method, headers })
    onward.on('response', answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  server.on('connect', (incoming, socket: Duplex) => {
    const status = refusalOf(incoming, options)
    asked.push(`CONNECT ${incoming.url}`)
    keep(socket)
    if (status) return void socket.end(`HTTP/1.1 ${status} Refused\r\nProxy-Authenticate: Basic\r\n\r\n`)
    const onward = connect({ ...here, port: Number(/\d+$/.exec(incoming.url ?? '')?.[0]) })
    keep(onward)
    onward.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    socket.on('close', () => onward.destroy())
  })
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, here.host, resolve))
  return {
    port,
    asked,
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const here = { host: '127.0.0.1' }
const challenge = { 'proxy-authenticate': 'Basic' }

function refusalOf({ headers }: IncomingMessage, { credentials, refusal }: ForwardProxyOptions) {
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  return expected && headers['proxy-authorization'] !== expected ? 407 : refusal
}
