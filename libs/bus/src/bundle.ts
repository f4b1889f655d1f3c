/** Several calls of one operation, or several replies, as one message: docs/bus.md. */
import type { Bus } from './connection.ts'
import type { Msg } from 'nats'
import { decodeHeaders, type Headers, headersOf } from './headers.ts'
import { header } from './wire.ts'

/** A call or a reply in a bundle: its headers as it would be sent alone (ADR-4), and its body. */
export interface Part {
  readonly headers: Uint8Array
  readonly body: Uint8Array
}

/** A part as received. */
export interface ReceivedPart {
  /** @throws Error where one is malformed */
  readonly headers: () => Headers
  readonly data: Uint8Array
}

/** A larger body goes alone: to copy it would cost more than a message does. */
export const maxPartBytes = 16_384
const maxBytes = 131_072

/** The sizes of the parts, for the header `Svc-Parts`, and the parts one after the other. */
export function joinParts(parts: readonly Part[]): { sizes: string; data: Uint8Array } {
  const sizes = parts.map(({ headers, body }) => `${headers.length}+${body.length}`).join(',')
  return { sizes, data: Buffer.concat(parts.flatMap(({ headers, body }) => [headers, body])) }
}

/** @throws Error where the sizes are not those of the data, or there are more than `max` */
export function splitParts(sizes: string, data: Uint8Array, max: number): ReceivedPart[] {
  const listed = sizes.split(',', max + 1)
  if (listed.length > max) throw new Error('A bundle has too many parts.')
  let at = 0
  const parts = listed.map(size => {
    const [, headerBytes, bodyBytes] = /^(\d{1,7})\+(\d{1,7})$/.exec(size) ?? []
    const body = at + Number(headerBytes)
    const end = body + Number(bodyBytes)
    const headers = data.subarray(at, body)
    at = end
    return { headers: () => decodeHeaders(headers), data: data.subarray(body, end) }
  })
  if (at !== data.length) throw new Error('The sizes of a bundle are not those of its parts.')
  return parts
}

/**
 * The replies in a message, each with the index of its call; undefined where it is not a bundle.
 *
 * @param calls how many there were
 * @throws Error where it is malformed, or answers a call that there was not
 */
export function partsOf(msg: Msg, calls: number): [number, ReceivedPart][] | undefined {
  const headers = headersOf(msg)
  const answers = headers.get(header.answers)
  if (answers === '') return undefined
  const indices = answers.split(',').map(Number)
  const parts = splitParts(headers.get(header.parts), msg.data, calls)
  if (parts.length !== indices.length || !indices.every(index => index >= 0 && index < calls))
    throw new Error('A bundle of replies does not say what it answers.')
  return parts.map((part, at) => [indices[at] as number, part])
}

/**
 * Makes a function that gathers parts until the end of the turn of the event loop, which delays nothing: what is published in
 * a turn is written at its end anyway.
 *
 * @param send gets those of one subject in their order, in bundles of a bounded size
 */
export function gatherParts<Of extends Part>(
  { atEndOfTurn }: Bus,
  max: number,
  send: (subject: string, parts: readonly Of[]) => void,
): (subject: string, part: Of) => void {
  const gathered = new Map<string, Of[]>()

  return (subject, part) => {
    if (gathered.size === 0) atEndOfTurn(sendAll)
    const others = gathered.get(subject)
    if (others) others.push(part)
    else gathered.set(subject, [part])
  }

  function sendAll() {
    const all = [...gathered]
    gathered.clear()
    for (const [subject, parts] of all) for (const bundle of bundlesOf(parts, max)) send(subject, bundle)
  }
}

function* bundlesOf<Of extends Part>(parts: readonly Of[], max: number): Generator<readonly Of[]> {
  let from = 0
  let bytes = 0
  for (const [at, { headers, body }] of parts.entries()) {
    const size = headers.length + body.length
    if (at > from && (at - from === max || bytes + size > maxBytes)) {
      yield parts.slice(from, at)
      from = at
      bytes = 0
    }
    bytes += size
  }
  yield parts.slice(from)
}
