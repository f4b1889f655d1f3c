/** What a service receives: calls alone or in a bundle, and their answers. */
import type { ServiceMsg } from 'nats'
import { joinParts, type Part, splitParts } from './bundle.ts'
import type { Bus } from './connection.ts'
import { encodeHeaders, type Headers, headersOf } from './headers.ts'
import { rawHeaders } from './nats-internals/raw-headers.ts'
import { atEndOfTurn } from './nats-internals/turn-flush.ts'
import { header } from './wire.ts'
import type { Outgoing } from './reply.ts'

export interface Incoming1 {
  readonly subject: string
  readonly headers: () => Headers
  readonly data: Uint8Array
  respond(outgoing: Outgoing): void
}

export const alone = (msg: ServiceMsg): Incoming1 => ({
  subject: msg.subject,
  headers: () => headersOf(msg),
  data: msg.data,
  respond: ({ headers, data }) => void msg.respond(data, { headers: rawHeaders(headers) }),
})

const empty = new Uint8Array()

export function receiveBundle(bus: Bus, msg: ServiceMsg): Incoming1[] {
  let answered: { index: number; part: Part }[] = []
  const send = () => {
    const { sizes, data } = joinParts(answered.map(({ part }) => part))
    const indices = answered.map(({ index }) => index).join(',')
    answered = []
    msg.respond(data, { headers: encodeHeaders({ [header.parts]: sizes, [header.answers]: indices }) })
  }
  return splitParts(headersOf(msg).get(header.parts), msg.data).map(({ headers, data }, index) => ({
    subject: msg.subject,
    headers,
    data,
    respond({ headers: block, data: body = empty }) {
      if (answered.length === 0) atEndOfTurn(bus.nc, send)
      answered.push({ index, part: { headers: block, body } })
    },
  }))
}
