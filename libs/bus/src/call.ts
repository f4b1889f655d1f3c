import { refusal, repeatable } from '@svc/contract/core/errors'
import { meterCalls } from '@svc/telemetry/metrics-bus'
import { traceCalls } from '@svc/telemetry/tracing-bus'
import type { Msg } from 'nats'
import type { Bus } from './connection.ts'
import { type Headers, headersOf } from './headers.ts'
import { type Unanswered, openMux } from './mux.ts'
import { createReplicas } from './replicas.ts'
import { header } from './wire.ts'

export interface CallRequest {
  readonly subject: string
  readonly body: Uint8Array
  readonly headers: Record<string, string>
  readonly deadline: number
  /** Safe to repeat: a lost call is answered with 503, which may be retried, instead of 504. */
  readonly safe?: boolean
}

export interface Answer {
  readonly status: number
  readonly body: Uint8Array
  /** A response header, or '' if it is absent. */
  header(name: string): string
}

/** @throws ApiError `Unavailable` if nothing was executed, `Timeout` if the outcome is unknown */
export type CallBus = (request: CallRequest) => Promise<Answer>

const noResponder = Symbol('no responder')

/** How long a call without a responder is repeated: a restarting replica is back within this time. */
const noResponderWindowMs = 2500

/**
 * Makes the function by which this process calls operations over the bus. While the bus is disconnected, new calls
 * are refused at once, and calls in progress fail when the connection is lost.
 *
 * @param subjects those it will call, as far as known: their metrics start at 0
 */
export function createCall(bus: Bus, subjects: readonly string[] = []): CallBus {
  const replicas = createReplicas()
  const mux = openMux<CallRequest, Answer | typeof noResponder>(bus, {
    read: readAnswer,
    unanswered,
    deadlineOf: request => request.deadline,
  })

  const callUntilAnswered: CallBus = async request => {
    const headers = { ...request.headers, [header.deadline]: String(request.deadline) }
    let giveUp: number | undefined
    for (let pause = 10; ; pause = Math.min(pause * 2, 200)) {
      const outcome = await askReplica(request, headers)
      if (outcome !== noResponder) return outcome
      // Nothing was executed, so this failure may be retried whatever the operation is.
      giveUp ??= Math.min(request.deadline, Date.now() + noResponderWindowMs)
      if (Date.now() + pause >= giveUp) throw refusal('unavailable')
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  }

  /** A replica that has left, or does not have the operation, has executed nothing, so another one is asked. */
  async function askReplica(request: CallRequest, headers: Record<string, string>) {
    const replica = replicas.choose(request.subject)
    if (replica) {
      const asked = mux.ask({ ...request, subject: replica.subject }, headers)
      const outcome = await asked.catch(error => {
        replica.end(true)
        throw error
      })
      replica.end(outcome !== noResponder && outcome.status >= 500)
      // One that is leaving does not say who it is.
      const id = outcome === noResponder ? '' : outcome.header(header.replica)
      if (id === '') replica.forget()
      else replicas.learn(request.subject, id)
      if (outcome !== noResponder) return outcome
    }
    const outcome = await mux.ask(request, headers)
    if (outcome !== noResponder) replicas.learn(request.subject, outcome.header(header.replica))
    return outcome
  }

  return meterCalls(bus.metrics, () => mux.waiting, traceCalls(callUntilAnswered), subjects)
}

function unanswered(why: Unanswered, { safe }: CallRequest): never {
  if (why === 'too large')
    throw refusal('payload_too_large', { message: 'The body is too large for the bus.' })
  if (why === 'unsent') throw refusal('unavailable')
  throw why === 'lost' && safe ? repeatable() : refusal('timeout')
}

function readAnswer(msg: Msg): Answer | typeof noResponder {
  const headers = readHeaders(msg)
  if (headers.code === 503 && msg.data.length === 0) return noResponder
  return {
    status: Number(headers.get(header.status)) || Number(headers.get(header.errorCode)) || 500,
    body: msg.data,
    header: name => headers.get(name),
  }
}

function readHeaders(msg: Msg): Headers {
  try {
    return headersOf(msg)
  } catch {
    throw refusal('internal')
  }
}
