/** Starts an attacker in its own process, so that it does not take time from the observers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface AttackOrder {
  readonly url: URL
  /** Each sends its next request when one is answered. */
  readonly connections: number
  /** As it is sent. `{number}` is replaced by its number, with as many digits. */
  readonly request: string
}

export interface Attack {
  /** Resolves when as many requests as there are connections have been answered. */
  readonly underWay: Promise<void>
  /** Ends it, and returns how often each status was answered. */
  end(): Promise<Readonly<Record<number, number>>>
}

export function startAttack({ url, ...order }: AttackOrder): Attack {
  // A real attacker has its own machine: here it gets what others leave.
  const argument = JSON.stringify({ ...order, port: Number(url.port), priority: 5 })
  const program = fileURLToPath(new URL('attacker.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, argument], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const underWay = once(lines, 'line').then(() => {})
  return {
    underWay,
    async end() {
      await underWay
      const said = once(lines, 'line')
      child.stdin.end()
      return JSON.parse((await said)[0])
    },
  }
}

/** An HTTP/1.1 request as sent on the wire. */
export function written({
  url,
  method = 'GET',
  path,
  token,
  body = '',
}: {
  url: URL
  method?: string
  path: string
  token: string
  body?: string
}): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${url.host}`,
    `Authorization: Bearer ${token}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
