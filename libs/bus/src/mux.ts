/** Requests and their replies: one wildcard inbox, a counter for tokens, one timer for every deadline. */
import { ErrorCode, type Msg, type NatsError, nuid } from 'nats'
import type { Bus } from './connection.ts'
import { rawHeaders } from './nats-internals/raw-headers.ts'
import { joinParts, maxBundleBytes, maxPartBytes, maxParts, type Part, type ReceivedPart, sizeOf, splitParts } from './bundle.ts'
import { encodeHeaders, headerBytes, headersOf } from './headers.ts'
import { holdWhileMoving } from './leave-server.ts'
import { atEndOfTurn } from './nats-internals/turn-flush.ts'
import { header } from './wire.ts'

export interface MuxRequest {
  readonly subject: string
  readonly body: Uint8Array | string
}

/**
 * Why there is no reply: there is no connection, or no time; the bus does not carry that much; the connection was lost
 * after the request was sent; nobody replied before the deadline.
 */
export type Unanswered = 'unsent' | 'too large' | 'lost' | 'late'

export interface MuxOptions<Request, Reply> {
  /** What a reply comes to. What it throws is what the request fails with. */
  readonly read: (msg: Msg, request: Request) => Reply
  /** What a request without a reply comes to, likewise. */
  readonly unanswered: (why: Unanswered, request: Request) => Reply
  /** Until when a request waits for its reply that is sent at `time`. */
  readonly deadlineOf: (request: Request, time: number) => number
  /** For requests that go together where they come together. */
  readonly bundles?: Bundles<Request, Reply>
  /** The clock of both, in milliseconds: Unix time unless given. */
  readonly now?: () => number
}

export interface Bundles<Request, Reply> {
  /** Requests with the same subject that are made in one turn go as one message; undefined: alone. */
  readonly subjectOf: (request: Request) => string | undefined
  /** What a reply comes to that is part of a message. */
  readonly readPart: (part: ReceivedPart, request: Request) => Reply
}

export interface Mux<Request, Reply> {
  /**
   * Sends a request once and waits for its reply. While the connection moves to another server it is not sent yet.
   *
   * @throws what `read` and `unanswered` throw, and Error for a header with a line break
   */
  ask(request: Request, headers: Readonly<Record<string, string>>): Promise<Reply>
  /** Ends the waiting of some requests with a reply that came another way. */
  answer(which: (request: Request) => boolean, reply: Reply): void
  /** Requests that were sent and wait for their reply. */
  readonly waiting: number
}

interface Waiting<Request, Reply> {
  readonly request: Request
  readonly deadline: number
  resolve(reply: Reply): void
  reject(reason: unknown): void
}

interface Together<Request, Reply> extends Part {
  readonly waiting: Waiting<Request, Reply>
}

const sweepEveryMs = 25

/**
 * Opens an inbox of its own for replies.
 *
 * The client library's own `request()` builds two errors with stacks and a timer per request; this builds none. While the
 * bus is disconnected a request fails at once, and so do those under way at the moment of the loss.
 */
export function openMux<Request extends MuxRequest, Reply>(
  bus: Bus,
  { read, unanswered, deadlineOf, bundles, now = Date.now }: MuxOptions<Request, Reply>,
): Mux<Request, Reply> {
  const { nc } = bus
  const inbox = `_INBOX.${bus.user}.${nuid.next()}`
  const waiting = new Map<string, Waiting<Request, Reply>>()
  /** Until the end of the turn, by subject. */
  const together = new Map<string, Together<Request, Reply>[]>()
  let counter = 0
  let sweeper: NodeJS.Timeout | undefined
  const held = holdWhileMoving(bus, () => waiting.size)

  nc.subscribe(`${inbox}.*`, {
    callback: (error, msg) => {
      if (error) return
      const token = msg.subject.slice(inbox.length + 1)
      if (token.includes('-')) return receiveParts(token, msg)
      settle(token, request => read(msg, request))
    },
  })
  bus.onChange(connected => {
    if (!connected) for (const [token, one] of waiting) leave(token, one, 'lost')
  })

  return {
    ask(request, headers) {
      const moving = held()
      return moving ? moving.then(() => send(request, headers)) : send(request, headers)
    },
    answer(which, reply) {
      for (const [token, { request, resolve }] of waiting) {
        if (!which(request)) continue
        waiting.delete(token)
        resolve(reply)
      }
    },
    get waiting() {
      return waiting.size
    },
  }

  function settle(token: string, reply: (request: Request) => Reply) {
    const one = waiting.get(token)
    if (!one) return // given up already
    waiting.delete(token)
    // What is thrown here ends the library's reading from the connection, and with it every other request.
    try {
      one.resolve(reply(one.request))
    } catch (reason) {
      one.reject(reason)
    }
  }

  /** The token of a bundle is its first number and how many there are. */
  function receiveParts(token: string, msg: Msg) {
    const [first = 0, count = 0] = token.split('-').map(part => Number.parseInt(part, 36))
    const tokenAt = (index: number) => (first + index).toString(36)
    const headers = headersOf(msg)
    const sizes = headers.get(header.parts)
    // What the server itself says is said to all.
    if (sizes === '') {
      for (let index = 0; index < count; index++) settle(tokenAt(index), request => read(msg, request))
      return
    }
    const answered = headers.get(header.answers).split(',')
    for (const [at, part] of splitParts(sizes, msg.data).entries()) {
      settle(tokenAt(Number(answered[at])), request => (bundles as Bundles<Request, Reply>).readPart(part, request))
    }
  }

  function add(subject: string, one: Together<Request, Reply>) {
    if (together.size === 0) atEndOfTurn(nc, sendTogether)
    const others = together.get(subject)
    if (others) others.push(one)
    else together.set(subject, [one])
  }

  function sendTogether() {
    for (const [subject, all] of together) {
      while (all.length > 0) {
        let bytes = 0
        const past = all.findIndex((one, at) => at === maxParts || (bytes += sizeOf(one)) > maxBundleBytes)
        const some = all.splice(0, past === -1 ? all.length : past)
        if (!bus.connected || nc.isClosed()) for (const one of some) giveUp(one, 'unsent')
        else publishTogether(subject, some)
      }
    }
    together.clear()
    sweeper ??= setInterval(sweep, sweepEveryMs)
  }

  function publishTogether(subject: string, some: readonly Together<Request, Reply>[]) {
    const first = counter + 1
    for (const one of some) waiting.set((++counter).toString(36), one.waiting)
    const [alone] = some
    if (some.length === 1 && alone) {
      const options = { reply: `${inbox}.${first.toString(36)}`, headers: rawHeaders(alone.headers) }
      return nc.publish(alone.waiting.request.subject, alone.body, options)
    }
    const { sizes, data } = joinParts(some)
    const reply = `${inbox}.${first.toString(36)}-${some.length.toString(36)}`
    nc.publish(subject, data, { reply, headers: encodeHeaders({ [header.parts]: sizes }) })
  }

  function send(request: Request, headers: Readonly<Record<string, string>>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const time = now()
      const deadline = deadlineOf(request, time)
      // What is published while disconnected would leave when the connection is back, too late or out of order.
      if (!bus.connected || nc.isClosed() || deadline <= time) return resolve(unanswered('unsent', request))
      const bundle = bundles?.subjectOf(request)
      if (bundle !== undefined && request.body.length <= maxPartBytes) {
        const one = { headers: headerBytes(headers), body: request.body as Uint8Array, waiting: { request, deadline, resolve, reject } }
        return add(bundle, one)
      }
      const token = (++counter).toString(36)
      const options = { reply: `${inbox}.${token}`, headers: encodeHeaders(headers) }
      try {
        nc.publish(request.subject, request.body, options)
      } catch (error) {
        if ((error as NatsError).code !== ErrorCode.MaxPayloadExceeded) throw error
        return resolve(unanswered('too large', request))
      }
      // The reply comes in a later turn, and what could not be sent is not waited for.
      waiting.set(token, { request, deadline, resolve, reject })
      sweeper ??= setInterval(sweep, sweepEveryMs)
    })
  }

  function sweep() {
    const time = now()
    for (const [token, one] of waiting) if (one.deadline <= time) leave(token, one, 'late')
    if (waiting.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }

  function leave(token: string, one: Waiting<Request, Reply>, why: Unanswered) {
    waiting.delete(token)
    giveUp({ waiting: one }, why)
  }

  function giveUp({ waiting: { request, resolve, reject } }: { waiting: Waiting<Request, Reply> }, why: Unanswered) {
    try {
      resolve(unanswered(why, request))
    } catch (reason) {
      reject(reason)
    }
  }
}
