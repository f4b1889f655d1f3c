/** HTTP as bytes on a socket, for what no client library would send. */
import { connect } from 'node:net'
import type { Answered } from './answers.ts'

export interface Exchange {
  readonly answers: readonly Answered[]
  /** Whether the server closed the connection. */
  readonly closed: boolean
}

interface ExchangeOptions {
  /** Waits for this many answers; by default until the server closes. */
  readonly answers?: number
  /** What to send repeatedly until the answer arrives. */
  readonly drip?: string
  readonly dripEveryMs?: number
  /** What to send when it arrives. */
  readonly later?: Promise<string | Buffer>
  /** Keeps our side open when the server has closed its side. */
  readonly halfOpen?: boolean
}

/** Sends bytes and collects the answers. Latin-1: one character is one byte. */
export function exchange(
  baseUrl: string,
  bytes: string | Buffer,
  { answers: wanted, drip, dripEveryMs = 200, later, halfOpen = false }: ExchangeOptions = {},
): Promise<Exchange> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: halfOpen })
    const dripping = drip && setInterval(() => socket.writable && socket.write(drip, 'latin1'), dripEveryMs)
    const finish = (outcome: boolean | Error) => {
      if (dripping) clearInterval(dripping)
      socket.destroy()
      if (outcome instanceof Error) return reject(outcome)
      resolve({ answers: parseAnswers(received), closed: outcome })
    }
    socket.on('connect', () => socket.write(bytes as string, 'latin1'))
    later?.then(more => socket.write(more as string, 'latin1'))
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      if (wanted !== undefined && parseAnswers(received).length >= wanted) finish(false)
    })
    // A reset after the answer is one way of closing.
    socket.on('error', error => finish(received.length > 0 ? true : error))
    socket.on(halfOpen ? 'close' : 'end', () => finish(true))
  })
}

/** Complete answers, interim ones (1xx) aside. */
export function parseAnswers(bytes: Buffer): Answered[] {
  const answers: Answered[] = []
  for (let at = 0; ; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd < 0) return answers
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
    const fields = new Map(lines.map(line => splitAt(line, ':')))
    const length = Number(fields.get('content-length') ?? 0)
    const bodyEnd = headEnd + 4 + length
    if (bytes.length < bodyEnd) return answers
    const text = bytes.toString('utf8', headEnd + 4, bodyEnd)
    if (!(status < 200)) answers.push({ status, headers: { get: name => fields.get(name) ?? null }, text })
    at = bodyEnd
  }
}

function splitAt(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator)
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
}

export interface RawRequest {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  /** Header lines, without line ends. Host is added unless it is among them or is false. */
  readonly headers?: readonly string[]
  readonly host?: boolean
  /** Sent with its Content-Length, unless a line of the headers says how long it is. */
  readonly body?: string | Buffer
}

/** The bytes of a request. */
export function rawRequest({
  method = 'GET',
  target = '/v1/installs',
  version = 'HTTP/1.1',
  headers = [],
  host = true,
  body,
}: RawRequest): Buffer {
  const framed = headers.some(line => /^(content-length|transfer-encoding)\s*:/i.test(line))
  const bytes = Buffer.from(body ?? '')
  const lines = [
    `${method} ${target} ${version}`,
    ...(host ? ['Host: svc.example'] : []),
    ...headers,
    ...(body !== undefined && !framed ? [`Content-Length: ${bytes.length}`] : []),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}
