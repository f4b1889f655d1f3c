/** Servers of TLS that answer as a test says, byte by byte. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { freePort } from '@svc/local/free-port'
import { makeCertificates } from './certificates.ts'

/** The name that the servers' certificate has. */
export const name = 'hooks.example.test'

export interface Receiver {
  readonly url: string
  readonly port: number
  /** As they came over the wire. */
  readonly requests: readonly string[]
  /** How often somebody connected. */
  readonly connections: () => number
}

export interface TlsServers {
  /** The authority of their certificate, which nobody knows, in PEM; and the file that has it. */
  readonly ca: string
  readonly caFile: string
  /** Those of all that were started. */
  readonly ports: readonly number[]
  /** It names these servers and `localhost`. */
  readonly certificate: { readonly cert: string; readonly key: string }
  /** @param onRequest what it does when a request is complete */
  start(onRequest: (socket: TLSSocket) => void, at?: { host?: string; port?: number }): Promise<Receiver>
  close(): Promise<void>
}

export function tlsServers(): TlsServers {
  const { ca, cert, key } = makeCertificates([name, 'localhost'])
  const folder = mkdtempSync(join(tmpdir(), 'svc-tls-servers-'))
  const caFile = join(folder, 'ca.crt')
  writeFileSync(caFile, ca)
  const servers: Server[] = []
  const ports: number[] = []
  const sockets = new Set<TLSSocket>()
  return {
    ca,
    caFile,
    ports,
    certificate: { cert, key },
    async start(onRequest, { host = '127.0.0.1', port } = {}) {
      let connections = 0
      const requests: string[] = []
      const server = createServer({ cert, key }, socket => {
        sockets.add(socket)
        socket.on('error', () => {})
        let text = ''
        // A character for each byte, as lengths are.
        socket.setEncoding('latin1')
        socket.on('data', chunk => {
          text += chunk
          const [head = '', body] = text.split('\r\n\r\n')
          const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1])
          if (body === undefined || body.length < length) return
          requests.push(text)
          text = ''
          onRequest(socket)
        })
      })
      server.on('connection', () => connections++)
      server.on('tlsClientError', () => {})
      server.listen(port ?? (await freePort()), host)
      await once(server, 'listening')
      servers.push(server)
      const own = (server.address() as AddressInfo).port
      ports.push(own)
      return { url: `https://${name}:${own}/in`, port: own, requests, connections: () => connections }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map(server => new Promise(done => server.close(done))))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An answer in HTTP/1.1. */
export const http = (status: string, headers: Readonly<Record<string, string>> = {}, body = ''): string =>
  [
    `HTTP/1.1 ${status}`,
    ...Object.entries({ 'Content-Length': Buffer.byteLength(body), ...headers }).map(one => one.join(': ')),
    '',
    body,
  ].join('\r\n')
