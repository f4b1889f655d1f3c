/**
 * Headers of messages (ADR-4), written and read in one pass. The library's own code compares every name with every
 * other, per header and per look-up, which took a tenth of a request's time.
 */
import type { Msg, MsgHdrs, ServiceMsg } from 'nats'
import { rawHeaders, rawHeadersOf } from './nats-internals/raw-headers.ts'

export interface Headers extends Iterable<[string, string[]]> {
  /** Status code of a message from the server itself, such as 503 (no responders); otherwise 0. */
  readonly code: number
  get(name: string): string
}

const version = 'NATS/1.0'
const decoder = new TextDecoder()

/** @throws Error for a value with a line break */
export function encodeHeaders(fields: Readonly<Record<string, string>>): MsgHdrs {
  let text = version
  for (const name in fields) {
    const value = fields[name] ?? ''
    if (/[\r\n]/.test(value)) throw new Error(`The header ${name} must not contain a line break.`)
    text += `\r\n${name}: ${value}`
  }
  return rawHeaders(Buffer.from(`${text}\r\n\r\n`))
}

/** @throws Error if a header is malformed */
export function headersOf(msg: Msg | ServiceMsg): Headers {
  const bytes = rawHeadersOf(msg)
  return bytes ? parse(decoder.decode(bytes)) : none
}

const none: Headers = { code: 0, get: () => '', [Symbol.iterator]: () => [][Symbol.iterator]() }

const space = 0x20
const tab = 0x09
const isBlank = (code: number) => code === space || code === tab

/**
 * Trims spaces and tabs only (RFC 9110, 5.6.3). `trim` also removes U+00A0 and U+FEFF, which would make two
 * idempotency keys one.
 */
function trimmed(line: string, from: number): string {
  let end = line.length
  while (from < end && isBlank(line.charCodeAt(from))) from++
  while (from < end && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(from, end)
}

function parse(text: string): Headers {
  const lines = text.split('\r\n')
  const fields = new Map<string, string[]>()
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const colon = line.indexOf(':')
    const name = line.slice(0, colon)
    const value = trimmed(line, colon + 1)
    if (colon < 1 || !/^[!-9;-~]+$/.test(name) || /[\r\n]/.test(value)) {
      throw new Error('A header of a message is malformed.')
    }
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return {
    code: Number.parseInt((lines[0] ?? '').slice(version.length), 10) || 0,
    get: name => fields.get(name)?.[0] ?? '',
    [Symbol.iterator]: () => fields.entries(),
  }
}
