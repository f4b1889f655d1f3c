/**
 * The parts of an HTTP request forwarded with the body: parameters, query and declared headers, checked for
 * ambiguity.
 */
import { header } from '@svc/bus/wire'
import { refusal } from '@svc/contract/core/errors'
import { type Operation, headerName } from '@svc/contract/core/operation'
import { boundParameters } from '@svc/contract/core/validate'
import { hashCredential } from '@svc/runtime/credential'
import type { IncomingMessage } from 'node:http'

/** Ambiguous values of these would leave open who calls what. */
export const refuseAmbiguousCaller = repeatedHeaderCheck(['authorization', 'host', 'content-length'])

/** The single-valued headers that the operation itself reads. A repeated Svc-Context arrives joined: malformed. */
export const repeatedInputCheck = ({ headers }: Operation) =>
  repeatedHeaderCheck(['content-type', ...Object.keys(headers?.shape ?? {})])

/**
 * Refuses a request that repeats a single-valued header: which one counts would be a guess, and Node.js and a proxy
 * may guess differently.
 */
function repeatedHeaderCheck(names: string[]): (request: IncomingMessage) => void {
  const single = new Set(names)
  return ({ rawHeaders }) => {
    const seen = new Set<string>()
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = (rawHeaders[at] ?? '').toLowerCase()
      if (!single.has(name)) continue
      if (seen.has(name)) {
        throw refusal('invalid_header', {
          path: [headerName(name)],
          message: `${headerName(name)} is sent more than once.`,
        })
      }
      seen.add(name)
    }
  }
}

export function inputHeaders(operation: Operation) {
  const declared = Object.keys(operation.headers?.shape ?? {})
  const credentials = new Set(operation.credentialHeaders)
  return (request: IncomingMessage, params: Record<string, string>): Record<string, string> => {
    const headers: Record<string, string> = {}
    for (const name of credentials) if (request.headers[name] === undefined) throw missingCredential(name)
    if (operation.params) headers[header.params] = encodeParams(params)
    const query = queryOf(request.url ?? '')
    if (query !== undefined) headers[header.query] = query
    for (const name of declared) {
      const value = request.headers[name]
      if (typeof value !== 'string') continue
      headers[headerName(name)] = credentials.has(name) ? hashCredential(value) : decoded(value)
    }
    const { traceparent } = request.headers
    if (typeof traceparent === 'string') headers[header.traceparent] = traceparent
    return headers
  }
}

const missingCredential = (name: string) =>
  refusal('credential_missing', {
    path: [headerName(name)],
    message: `No credential was sent. Send it in the header ${headerName(name)}.`,
  })

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Node.js reads a header as Latin-1, but the bus uses UTF-8. */
function decoded(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

/** Ids have only letters, digits, - and _: nothing else is forwarded. */
function encodeParams(params: Record<string, string>): string {
  return Object.entries(params)
    .map(([name, value]) => {
      if (!/^[A-Za-z0-9_-]{1,100}$/.test(value)) {
        throw refusal('invalid_parameter', {
          path: [name],
          message: `${name} must be an id of letters, digits, - and _.`,
        })
      }
      return `${name}=${value}`
    })
    .join('&')
}

function queryOf(url: string): string | undefined {
  const at = url.indexOf('?')
  if (at < 0) return undefined
  const query = url.slice(at + 1)
  if (!/^[\x21-\x7e]*$/.test(query)) {
    throw refusal('invalid_parameter', { message: 'The query must be percent-encoded.' })
  }
  boundParameters(query)
  return query
}
