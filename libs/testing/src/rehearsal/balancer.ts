/**
 * What stands before the gateways, as a Service of Kubernetes with an ingress does: asks each of them every 200 ms
 * whether it is ready, opens new connections to ready ones only, keeps the ones that there are, and tries the next
 * gateway where none can be opened.
 */
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Gateway {
  readonly name: string
  readonly url: string
  readonly readyUrl: string
}

export interface Answer {
  /** Of HTTP; 0 where there was none. */
  readonly status: number
  readonly body: string
  readonly retryAfter: string | undefined
  readonly gateway: string
  /** Where there was no answer: what became of it. */
  readonly failure?: 'connection broken' | 'no answer' | 'no connection'
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

export interface Balancer {
  ready(name: string): boolean
  /** One connection at a time, kept alive. */
  connection(): { send(sent: Sent): Promise<Answer>; close(): void }
  stop(): Promise<void>
}

const askEveryMs = 200
const connectMs = 1000
/** The deadline of a call and a second: whoever still has no answer then gets none. */
export const patienceMs = 6000

export function startBalancer(gateways: readonly Gateway[]): Balancer {
  const readiness = new Map(gateways.map(({ name }) => [name, true]))
  let turn = 0
  let going = true
  const watching = gateways.map(async ({ name, readyUrl }) => {
    while (going) {
      const asked = await fetch(readyUrl, { signal: AbortSignal.timeout(500) }).catch(() => undefined)
      await asked?.arrayBuffer().catch(() => {})
      readiness.set(name, asked?.status === 200)
      await delay(askEveryMs)
    }
  })

  return {
    ready: name => readiness.get(name) ?? false,
    connection,
    async stop() {
      going = false
      await Promise.all(watching)
    },
  }

  function next(tried: ReadonlySet<Gateway>): Gateway | undefined {
    const left = gateways.filter(gateway => !tried.has(gateway))
    const ready = left.filter(({ name }) => readiness.get(name))
    const from = ready.length > 0 ? ready : left
    return from[turn++ % from.length]
  }

  function connection() {
    let current: { gateway: Gateway; agent: Agent } | undefined
    const leave = () => {
      current?.agent.destroy()
      current = undefined
    }
    const send = async (sent: Sent): Promise<Answer> => {
      if (current && !isOpen(current.agent)) leave()
      const tried = new Set<Gateway>()
      for (;;) {
        const gateway = current?.gateway ?? next(tried)
        if (!gateway)
          return { status: 0, body: '', retryAfter: undefined, gateway: '', failure: 'no connection' }
        current ??= { gateway, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }
        const answer = await exchange(gateway, current.agent, sent)
        if (answer.failure !== undefined || answer.closing) leave()
        if (answer.failure !== 'no connection') return answer
        tried.add(gateway)
      }
    }
    return { send, close: leave }
  }
}

const isOpen = ({ freeSockets }: Agent) => Object.values(freeSockets).some(sockets => sockets?.length)

function exchange(
  { name, url }: Gateway,
  agent: Agent,
  { method, path, headers, body }: Sent,
): Promise<Answer & { closing: boolean }> {
  return new Promise(resolve => {
    let connected = false
    let patience: NodeJS.Timeout | undefined
    const end = (answer: Omit<Answer, 'gateway'>, closing = true) => {
      clearTimeout(patience)
      resolve({ ...answer, gateway: name, closing })
    }
    const fail = (failure: Answer['failure']) => {
      end({ status: 0, body: '', retryAfter: undefined, failure })
      sent.destroy()
    }
    const sent = request(`${url}${path}`, {
      method,
      agent,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
    })
    patience = setTimeout(() => fail('no connection'), connectMs)
    const begun = () => {
      connected = true
      clearTimeout(patience)
      patience = setTimeout(() => fail('no answer'), patienceMs)
    }
    sent.on('socket', (socket: Socket) => (socket.connecting ? socket.once('connect', begun) : begun()))
    sent.on('error', () => fail(connected ? 'connection broken' : 'no connection'))
    sent.on('response', async (response: IncomingMessage) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        const { statusCode = 0, headers: had } = response
        const text = Buffer.concat(chunks).toString('utf8')
        end({ status: statusCode, body: text, retryAfter: had['retry-after'] }, had.connection === 'close')
      } catch {
        fail('connection broken')
      }
    })
    sent.end(body)
  })
}
