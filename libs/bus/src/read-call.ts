/** Reads the call context of a message: deadline, caller and input. */
import { type AgentCaller, type Caller, caller as callerSchema } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import { type Operation, agentOf } from '@svc/contract/core/operation'
import { boundParameters, parseInput } from '@svc/contract/core/validate'
import { LRUCache } from 'lru-cache'
import type { Msg } from 'nats'
import { type Headers, headersOf } from './headers.ts'
import { parseJson } from './json.ts'
import { defaultBudgetMs, header, maxBudgetMs } from './wire.ts'

export function readHeaders(msg: Msg): Headers | undefined {
  try {
    return headersOf(msg)
  } catch {
    return undefined
  }
}

/** A deadline beyond the limit is cut: nobody may answer that late. */
export function deadlineOf(headers: Headers | undefined): number {
  const now = Date.now()
  return Math.min(Number(headers?.get(header.deadline)) || now + defaultBudgetMs, now + maxBudgetMs)
}

/** An agent is known by its subject, to which the bus lets nobody else publish. */
export const callerOf = (operation: Operation, subject: string, headers: Headers): Caller | AgentCaller =>
  operation.access.agent ? agentOf(subject) : parseCaller(headers.get(header.caller))

/**
 * The validated input of an operation; its body stays bytes if the operation wants it raw.
 *
 * @throws ApiError if it is malformed
 */
export function readInput(operation: Operation, headers: Headers, data: Uint8Array): unknown {
  const input = parseInput(operation, {
    params: operation.params ? Object.fromEntries(new URLSearchParams(headers.get(header.params))) : {},
    query: readQuery(headers),
    headers: operation.headers ? declaredHeaders(operation.headers.shape, headers) : {},
    body: operation.body ? parseJson(data) : undefined,
  })
  return operation.raw ? { ...input, body: data } : input
}

function readQuery(headers: Headers): URLSearchParams {
  const query = headers.get(header.query)
  boundParameters(query)
  return new URLSearchParams(query)
}

const knownCallers = new LRUCache<string, Caller>({ max: 1000 })
const maxKnownLength = 500

function parseCaller(text: string): Caller {
  const known = knownCallers.get(text)
  if (known) return known
  try {
    const caller = Object.freeze(callerSchema.parse(JSON.parse(text)))
    if (text.length <= maxKnownLength) knownCallers.set(text, caller)
    return caller
  } catch {
    throw refusal('credential_missing', {
      message: `Name the caller in the header ${header.caller}, as JSON: {"kind":"internal","id":"<program>"}.`,
    })
  }
}

/** The declared headers by lower-case name. A repeated header is ambiguous, and refused. */
function declaredHeaders(shape: object, headers: Headers): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, values] of headers) {
    const key = name.toLowerCase()
    if (!Object.hasOwn(shape, key)) continue
    if (values.length !== 1 || key in found) {
      throw refusal('invalid_header', { path: [name], message: `${name} is given more than once.` })
    }
    found[key] = values[0] ?? ''
  }
  return found
}
