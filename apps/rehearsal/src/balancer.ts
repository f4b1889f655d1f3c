/**
 * A load balancer for the gateways, like a Kubernetes Service with an ingress: checks the readiness of each every 200
 * ms, opens new connections only to ready ones, keeps a connection for some 50 requests, and tries the next gateway if
 * none can be opened.
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
  /** The HTTP status; 0 if there was none. */
  readonly status: number
  readonly body: string
  readonly retryAfter: string | undefined
  readonly gateway: string
  /** When the request was sent on a connection, by performance.now(); undefined if none could be opened. */
  readonly sentAt: number | undefined
  /** What happened, if there was no answer. */
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
  /** The number of connections to the gateway that existed at some time between the two moments of performance.now(). */
  connectionsTo(name: string, from: number, to: number): number
  /** One connection at a time, kept alive. */
  connection(): { send(sent: Sent): Promise<Answer>; close(): void }
  stop(): Promise<void>
}

const askEveryMs = 200
const askedWithinMs = 500
const connectMs = 1000
/** After these the client opens another connection, so that a gateway that was away gets load again. */
const requestsPerConnection = { least: 40, most: 60 }
/** The deadline of a call plus a second: a request without an answer by then gets none. */
export const patienceMs = 6000

export function startBalancer(gateways: readonly Gateway[]): Balancer {
  const readiness = new Map(gateways.map(({ name }) => [name, true]))
  const opened: { gateway: string; from: number; to: number }[] = []
  let turn = 0
  let going = true
  const watching = gateways.map(async ({ name, readyUrl }) => {
    while (going) {
      const asked = await fetch(readyUrl, { signal: AbortSignal.timeout(askedWithinMs) }).catch(
        () => undefined,
      )
      await asked?.arrayBuffer().catch(() => {})
      readiness.set(name, asked?.status === 200)
      await delay(askEveryMs)
    }
  })

  return {
    ready: name => readiness.get(name) ?? false,
    connectionsTo: (name, from, to) =>
      opened.filter(one => one.gateway === name && one.from <= to && one.to >= from).length,
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
    let current: { gateway: Gateway; agent: Agent; left: number; time: (typeof opened)[number] } | undefined
    const leave = () => {
      if (!current) return
      current.agent.destroy()
      current.time.to = performance.now()
      current = undefined
    }
    const open = (gateway: Gateway) => {
      const { least, most } = requestsPerConnection
      const time = { gateway: gateway.name, from: performance.now(), to: Number.POSITIVE_INFINITY }
      opened.push(time)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      return { gateway, agent, left: least + Math.floor(Math.random() * (most - least)), time }
    }
    const send = async (sent: Sent): Promise<Answer> => {
      if (current && (current.left-- <= 0 || !isOpen(current.agent))) leave()
      const tried = new Set<Gateway>()
      for (;;) {
        const gateway = current?.gateway ?? next(tried)
        if (!gateway)
          return {
            status: 0,
            body: '',
            retryAfter: undefined,
            gateway: '',
            sentAt: undefined,
            failure: 'no connection',
          }
        current ??= open(gateway)
        const answer = await exchange(gateway, current.agent, sent)
        // It was never opened.
        if (answer.failure === 'no connection') current.time.from = Number.POSITIVE_INFINITY
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
    let sentAt: number | undefined
    let patience: NodeJS.Timeout | undefined
    const end = (answer: Omit<Answer, 'gateway' | 'sentAt'>, closing = true) => {
      clearTimeout(patience)
      resolve({ ...answer, gateway: name, sentAt, closing })
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
      sentAt = performance.now()
      clearTimeout(patience)
      patience = setTimeout(() => fail('no answer'), patienceMs)
    }
    sent.on('socket', (socket: Socket) => (socket.connecting ? socket.once('connect', begun) : begun()))
    sent.on('error', () => fail(sentAt === undefined ? 'no connection' : 'connection broken'))
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
