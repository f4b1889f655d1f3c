/** Requests and their replies: one wildcard inbox, a counter for tokens, one timer for every deadline. */
import { ErrorCode, type Msg, type NatsError, nuid } from 'nats'
import type { Bus } from './connection.ts'
import { gatherParts, joinParts, maxPartBytes, type Part, partsOf, type ReceivedPart } from './bundle.ts'
import { encodeHeaders, headerBytes } from './headers.ts'
import { holdWhileMoving } from './leave-server.ts'
import { rawHeaders } from './nats-internals/raw-headers.ts'
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
  readonly bundles?: BundleOptions<Request, Reply>
  /** The clock of both, in milliseconds: Unix time unless given. */
  readonly now?: () => number
}

/** Requests that are made in one turn of the event loop for one subject go as one message, and are answered one by one. */
export interface BundleOptions<Request, Reply> {
  /** Where the bundle goes that has this request; undefined: it goes alone. */
  readonly subjectOf: (request: Request) => string | undefined
  /** In one bundle. */
  readonly max: number
  /** As `read`, of a reply in a bundle. */
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

interface Gathered<Request, Reply> extends Part {
  readonly waits: Waiting<Request, Reply>
}

/** In the token of a bundle, between the first and the last of its numbers. */
const toLast = '-'
const tokenOf = (number: number) => number.toString(36)
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
  let counter = 0
  let sweeper: NodeJS.Timeout | undefined
  /** To be sent at the end of the turn. */
  let gathered = 0
  const count = () => waiting.size + gathered
  const held = holdWhileMoving(bus, count)
  const gather = bundles && gatherParts<Gathered<Request, Reply>>(bus, bundles.max, sendBundle)

  nc.subscribe(`${inbox}.*`, {
    callback: (error, msg) => {
      if (error) return
      const token = msg.subject.slice(inbox.length + 1)
      if (token.includes(toLast)) receiveParts(token, msg)
      else settle(token, request => read(msg, request))
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
      return count()
    },
  }

  function send(request: Request, headers: Readonly<Record<string, string>>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const time = now()
      const deadline = deadlineOf(request, time)
      // What is published while disconnected would leave when the connection is back, too late or out of order.
      if (!bus.connected || nc.isClosed() || deadline <= time) return resolve(unanswered('unsent', request))
      const waits = { request, deadline, resolve, reject }
      const { subject, body } = request
      const bundle = bundles?.subjectOf(request)
      if (gather && bundle !== undefined && typeof body !== 'string' && body.length <= maxPartBytes) {
        gather(bundle, { headers: headerBytes(headers), body, waits })
        gathered++
        return
      }
      const token = tokenOf(++counter)
      const options = { reply: `${inbox}.${token}`, headers: encodeHeaders(headers) }
      try {
        nc.publish(subject, body, options)
      } catch (error) {
        if ((error as NatsError).code !== ErrorCode.MaxPayloadExceeded) throw error
        return resolve(unanswered('too large', request))
      }
      // The reply comes in a later turn, and what could not be sent is not waited for.
      wait(token, waits)
    })
  }

  function sendBundle(subject: string, parts: readonly Gathered<Request, Reply>[]) {
    gathered -= parts.length
    // It was lost in this turn.
    if (!bus.connected || nc.isClosed()) {
      for (const { waits } of parts) giveUp(waits, 'unsent')
      return
    }
    const first = counter + 1
    for (const { waits } of parts) wait(tokenOf(++counter), waits)
    const reply = `${inbox}.${tokenOf(first)}`
    const [only] = parts
    if (only && parts.length === 1) {
      nc.publish(only.waits.request.subject, only.body, { reply, headers: rawHeaders(only.headers) })
    } else {
      const { sizes, data } = joinParts(parts)
      const headers = encodeHeaders({ [header.parts]: sizes })
      nc.publish(subject, data, { reply: reply + toLast + tokenOf(counter), headers })
    }
  }

  function receiveParts(token: string, msg: Msg) {
    const [first = 0, last = 0] = token.split(toLast).map(number => Number.parseInt(number, 36))
    try {
      const parts = partsOf(msg, last - first + 1)
      // Without: of the server, or of a service that can read none of the requests.
      if (!parts || !bundles) settleAll(request => read(msg, request))
      else
        for (const [at, part] of parts)
          settle(tokenOf(first + at), request => bundles.readPart(part, request))
    } catch (reason) {
      settleAll(() => {
        throw reason
      })
    }

    function settleAll(reply: (request: Request) => Reply) {
      for (let number = first; number <= last; number++) settle(tokenOf(number), reply)
    }
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

  function wait(token: string, one: Waiting<Request, Reply>) {
    waiting.set(token, one)
    sweeper ??= setInterval(sweep, sweepEveryMs)
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
    giveUp(one, why)
  }

  function giveUp({ request, resolve, reject }: Waiting<Request, Reply>, why: Unanswered) {
    try {
      resolve(unanswered(why, request))
    } catch (reason) {
      reject(reason)
    }
  }
}
