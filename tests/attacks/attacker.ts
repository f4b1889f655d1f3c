/** Starts an attacker in its own process, so that it does not take time from the observers. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface AttackOrder {
  readonly url: URL
  readonly connections: number
  /** Requests as they are sent, in turn. `{number}` is replaced by their number, with as many digits. */
  readonly requests: readonly string[]
  /**
   * The total, sent whether earlier ones are answered or not; by default each connection sends the next when one is
   * answered.
   */
  readonly perSecond?: number
  /** The attacker's address, 127.0.0.1 by default. */
  readonly from?: string
}

export interface AttackEnd {
  readonly sent: number
  readonly statuses: Readonly<Record<number, number>>
  /** When the first request was sent, in Unix milliseconds. */
  readonly began: number
  /** When the first and the last answer arrived, in Unix milliseconds. */
  readonly first: number
  readonly last: number
  /** Milliseconds from a connection's last request to an answer. */
  readonly p50: number
}

/** @returns a function that ends the attack, and returns how it was answered */
export function startAttack({ url, ...order }: AttackOrder): () => Promise<AttackEnd> {
  // A real attacker has its own machine: here it gets what others leave.
  const argument = JSON.stringify({ ...order, port: Number(url.port), priority: 5 })
  const program = fileURLToPath(new URL('attacker.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, argument], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = text(child.stdout)
  return async () => {
    child.stdin.end()
    return JSON.parse(await said) as AttackEnd
  }
}

/** An HTTP/1.1 request as sent on the wire. */
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
