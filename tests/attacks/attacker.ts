/** Starts an attacker: a process of its own, so that what it needs is not taken from those who watch. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface AttackOrder {
  readonly url: URL
  readonly connections: number
  /** Requests as they are sent, in turn; `{number}` is their number, of as many digits. */
  readonly requests: readonly string[]
  /** So many in all, whether the ones before are answered or not; else each connection sends the next when one is answered. */
  readonly perSecond?: number
  /** The attacker's address, 127.0.0.1 by default. */
  readonly from?: string
}

export interface AttackEnd {
  readonly sent: number
  readonly statuses: Readonly<Record<number, number>>
  /** When the first request was sent, in Unix milliseconds. */
  readonly began: number
  /** When the first answer came, and the last, in Unix milliseconds. */
  readonly first: number
  readonly last: number
  /** Milliseconds from the last request of a connection to an answer. */
  readonly p50: number
}

/** @returns ends the attack, and tells how it was answered */
export function startAttack({ url, ...order }: AttackOrder): () => Promise<AttackEnd> {
  // It has a machine of its own: here it takes what others leave.
  const argument = JSON.stringify({ ...order, port: Number(url.port), priority: 5 })
  const program = fileURLToPath(new URL('attacker.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, argument], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  return async () => {
    child.stdin.end()
    return JSON.parse(await said) as AttackEnd
  }
}

/** A request of HTTP/1.1 as it is on the wire. */
export function written({
  url,
  method = 'GET',
  path,
  token,
  headers = [],
  body = '',
}: {
  url: URL
  method?: string
  path: string
  token?: string
  headers?: readonly string[]
  body?: string
}): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${url.host}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
