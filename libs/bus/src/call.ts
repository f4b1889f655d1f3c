/** Request-reply for callers: one wildcard inbox, a counter for tokens, one timer for every deadline. */
import { refusal, repeatable } from '@svc/contract/errors'
import { meterCalls } from '@svc/telemetry/metrics-bus'
import { traceCalls } from '@svc/telemetry/tracing-bus'
import { ErrorCode, type Msg, nuid } from 'nats'
import type { Bus } from './connection.ts'
import { type Headers, encodeHeaders, headersOf } from './headers.ts'
import { holdWhileMoving } from './leave-server.ts'
import { header } from './wire.ts'

export interface CallRequest {
  readonly subject: string
  readonly body: Uint8Array
  readonly headers: Record<string, string>
  /** Unix milliseconds. */
  readonly deadline: number
  /** A repetition is harmless: a call that was lost answers 503 and may be retried, instead of 504. */
  readonly safe?: boolean
}

export interface Answer {
  /** HTTP status. */
  readonly status: number
  readonly body: Uint8Array
  /** A response header, or '' where it is absent. */
  header(name: string): string
}

/** @throws ApiError `Unavailable` when nothing was executed, `Timeout` when the outcome is unknown */
export type CallBus = (request: CallRequest) => Promise<Answer>

const noResponder = Symbol('no responder')

interface Waiting {
  readonly request: CallRequest
  resolve(outcome: Answer | typeof noResponder): void
  reject(reason: Error): void
}

const sweepEveryMs = 25
/** How long a call without responder is repeated: a replica that restarts is back within this time. */
const noResponderWindowMs = 2500

/**
 * Makes the function by which this process calls operations over the bus.
 *
 * The client library's own `request()` builds two errors with stacks per call; this builds none. While the bus is
 * disconnected a call is refused at once, and so are the calls under way at the moment of the loss.
 *
 * @param subjects those that it will call, as far as they are known: their failures are counted from 0 on
 */
export function createCall(bus: Bus, subjects: readonly string[] = []): CallBus {
  const { nc } = bus
  const inbox = `_INBOX.${bus.user}.${nuid.next()}`
  const waiting = new Map<string, Waiting>()
  let counter = 0
  let sweeper: NodeJS.Timeout | undefined
  const held = holdWhileMoving(bus, () => waiting.size)

  nc.subscribe(`${inbox}.*`, {
    callback: (error, msg) => {
      if (error) return
      const token = msg.subject.slice(inbox.length + 1)
      const call = waiting.get(token)
      if (!call) return // answered by its deadline already
      waiting.delete(token)
      // What is thrown here ends the library's reading from the connection, and with it every other call.
      try {
        const headers = headersOf(msg)
        call.resolve(headers.code === 503 && msg.data.length === 0 ? noResponder : answerOf(headers, msg))
      } catch {
        call.reject(refusal('internal'))
      }
    },
  })
  bus.onChange(connected => {
    if (connected) return
    for (const call of waiting.values()) call.reject(lost(call.request))
    waiting.clear()
  })

  const callUntilAnswered: CallBus = async request => {
    // What waits for a move has not been sent yet, and its window has not begun.
    if (held()) await held()
    const giveUp = Math.min(request.deadline, Date.now() + noResponderWindowMs)
    for (let pause = 10; ; pause = Math.min(pause * 2, 200)) {
      const outcome = await send(request)
      if (outcome !== noResponder) return outcome
      // Nothing was executed, so this one failure may be repeated whatever the operation is.
      if (Date.now() + pause >= giveUp) throw refusal('unavailable')
      await new Promise(resolve => setTimeout(resolve, pause))
      if (held()) await held()
    }
  }
  return meterCalls(bus.metrics, () => waiting.size, traceCalls(callUntilAnswered), subjects)

  function send(request: CallRequest): Promise<Answer | typeof noResponder> {
    if (!bus.connected || nc.isClosed() || request.deadline <= Date.now())
      return Promise.reject(refusal('unavailable'))
    const token = (++counter).toString(36)
    return new Promise((resolve, reject) => {
      try {
        const headers = encodeHeaders({ ...request.headers, [header.deadline]: String(request.deadline) })
        nc.publish(request.subject, request.body, { reply: `${inbox}.${token}`, headers })
      } catch (error) {
        return reject(unsendable(error))
      }
      // The reply comes in a later turn, and what could not be sent is not waited for.
      waiting.set(token, { request, resolve, reject })
      sweeper ??= setInterval(sweep, sweepEveryMs)
    })
  }

  function sweep() {
    const now = Date.now()
    for (const [token, call] of waiting) {
      if (call.request.deadline > now) continue
      waiting.delete(token)
      call.reject(refusal('timeout'))
    }
    if (waiting.size === 0) {
      clearInterval(sweeper)
      sweeper = undefined
    }
  }
}

const unsendable = (error: unknown) =>
  (error as { code?: string }).code === ErrorCode.MaxPayloadExceeded
    ? refusal('payload_too_large', { message: 'The body is larger than the bus carries.' })
    : error

/** What to say of a call that was under way when the connection was lost. */
const lost = ({ safe }: CallRequest) => (safe ? repeatable() : refusal('timeout'))

function answerOf(headers: Headers, { data }: Msg): Answer {
  return {
    status: Number(headers.get(header.status)) || Number(headers.get(header.errorCode)) || 500,
    body: data,
    header: name => headers.get(name),
  }
}
