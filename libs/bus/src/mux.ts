/** Requests and their replies, with one wildcard inbox, a counter for tokens and one timer for all deadlines. */
import { ErrorCode, type Msg, type NatsError, nuid } from 'nats'
import type { Bus } from './connection.ts'
import { encodeHeaders } from './headers.ts'
import { holdWhileMoving } from './leave-server.ts'

export interface MuxRequest {
  readonly subject: string
  readonly body: Uint8Array | string
}

/**
 * Why there is no reply: no connection or no time; a message larger than the bus allows; a connection lost after
 * the request was sent; no reply before the deadline.
 */
export type Unanswered = 'unsent' | 'too large' | 'lost' | 'late'

export interface MuxOptions<Request, Reply> {
  /** Maps a reply to the result; an error rejects the request. */
  readonly read: (msg: Msg, request: Request) => Reply
  readonly unanswered: (why: Unanswered, request: Request) => Reply
  /** The deadline of a request that is sent at `time`. */
  readonly deadlineOf: (request: Request, time: number) => number
  /** The clock of both, in milliseconds; Unix time by default. */
  readonly now?: () => number
}

export interface Mux<Request, Reply> {
  /**
   * Sends a request once and waits for its reply. While the connection moves to another server, it waits to be
   * sent.
   *
   * @throws the errors of `read` and `unanswered`, and Error for a header with a line break
   */
  ask(request: Request, headers: Readonly<Record<string, string>>): Promise<Reply>
  /** Settles matching requests with a reply that came another way. */
  answer(which: (request: Request) => boolean, reply: Reply): void
  readonly waiting: number
}

interface Waiting<Request, Reply> {
  readonly request: Request
  readonly deadline: number
  resolve(reply: Reply): void
  reject(reason: unknown): void
}

const sweepEveryMs = 25

/**
 * Opens an inbox for replies.
 *
 * The client library's own `request()` creates two errors with stacks and a timer per request; this creates none.
 * While the bus is disconnected, new requests fail at once, and those in progress fail when the connection is lost.
 */
export function openMux<Request extends MuxRequest, Reply>(
  bus: Bus,
  { read, unanswered, deadlineOf, now = Date.now }: MuxOptions<Request, Reply>,
): Mux<Request, Reply> {
  const { nc } = bus
  const inbox = `_INBOX.${bus.user}.${nuid.next()}`
  const waiting = new Map<string, Waiting<Request, Reply>>()
  let counter = 0
  let sweeper: NodeJS.Timeout | undefined
  const held = holdWhileMoving(bus, () => waiting.size)

  nc.subscribe(`${inbox}.*`, {
    callback: (error, msg) => {
      if (error) return
      const token = msg.subject.slice(inbox.length + 1)
      const one = waiting.get(token)
      if (!one) return // given up already
      waiting.delete(token)
      // An error here would end the library's reading from the connection, and with it every other request.
      try {
        one.resolve(read(msg, one.request))
      } catch (reason) {
        one.reject(reason)
      }
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

  function send(request: Request, headers: Readonly<Record<string, string>>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const time = now()
      const deadline = deadlineOf(request, time)
      // A message published while disconnected would leave after the reconnect, too late or out of order.
      if (!bus.connected || deadline <= time) return resolve(unanswered('unsent', request))
      const token = (++counter).toString(36)
      const options = { reply: `${inbox}.${token}`, headers: encodeHeaders(headers) }
      try {
        nc.publish(request.subject, request.body, options)
      } catch (error) {
        if ((error as NatsError).code !== ErrorCode.MaxPayloadExceeded) throw error
        return resolve(unanswered('too large', request))
      }
      // The reply comes in a later turn; a request that could not be sent is not registered.
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

  function leave(token: string, { request, resolve, reject }: Waiting<Request, Reply>, why: Unanswered) {
    waiting.delete(token)
    try {
      resolve(unanswered(why, request))
    } catch (reason) {
      reject(reason)
    }
  }
}
