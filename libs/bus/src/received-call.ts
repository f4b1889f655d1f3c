/** The calls of a message, one or a bundle, each to be answered by itself. */
import { maxBundled } from '@svc/contract/core/operation'
import { refusal } from '@svc/contract/core/errors'
import type { ServiceMsg } from 'nats'
import { gatherParts, joinParts, type Part, splitParts } from './bundle.ts'
import type { Bus, BusLog } from './connection.ts'
import { encodeHeaders, type Headers, headersOf } from './headers.ts'
import { rawHeaders } from './nats-internals/raw-headers.ts'
import { errorReply, type Outgoing } from './reply.ts'
import { header } from './wire.ts'

export interface ReceivedCall {
  readonly subject: string
  /** @throws Error where one is malformed */
  readonly headers: () => Headers
  readonly data: Uint8Array
  /** @throws Error if the reply cannot be sent */
  respond(reply: Outgoing): void
}

export const callOf = (msg: ServiceMsg): ReceivedCall => ({
  subject: msg.subject,
  headers: () => headersOf(msg),
  data: msg.data,
  respond: ({ headers, data }) => void msg.respond(data, { headers: rawHeaders(headers) }),
})

interface Answer extends Part {
  readonly index: number
}

const empty = new Uint8Array()

/** Answers that are given in one turn of the event loop go as one message, and none waits for another. */
export function callsOf(bus: Bus, msg: ServiceMsg, log: BusLog): ReceivedCall[] {
  const { losses } = bus
  const answer = gatherParts<Answer>(bus, maxBundled, (_, answers) => {
    const { sizes, data } = joinParts(answers)
    const fields = { [header.parts]: sizes, [header.answers]: answers.map(({ index }) => index).join(',') }
    try {
      // The right to answer was lost with the connection that brought the calls.
      if (bus.losses === losses) msg.respond(data, { headers: encodeHeaders(fields) })
    } catch (err) {
      log.error({ err, subject: msg.subject }, 'reply not sent')
    }
  })
  try {
    const parts = splitParts(headersOf(msg).get(header.parts), msg.data, maxBundled)
    return parts.map(({ headers, data }, index) => ({
      subject: msg.subject,
      headers,
      data,
      respond: reply => answer('', { index, headers: reply.headers, body: reply.data ?? empty }),
    }))
  } catch {
    callOf(msg).respond(errorReply(refusal('invalid_header', { message: 'The bundle is malformed.' })))
    return []
  }
}
