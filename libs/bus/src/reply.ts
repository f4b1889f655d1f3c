import type { ApiError } from '@svc/contract/core/errors'
import type { Operation, Reply } from '@svc/contract/core/operation'
import { checkAnswer, checksAnswers } from './check-answer.ts'
import { header } from './wire.ts'

export interface Outgoing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly data?: Uint8Array
}

export function successReply(operation: Operation, { headers, body, shared }: Reply<Operation>): Outgoing {
  const data = operation.output && (shared ? sharedJson(body as unknown as object) : json(body))
  if (checksAnswers) checkAnswer(operation, body, data)
  const status = operation.http?.status ?? 200
  const fields: Record<string, string> = { [header.status]: String(status) }
  for (const [name, value] of Object.entries<string | undefined>(headers ?? {})) {
    if (value) fields[name] = value
  }
  return { status, headers: fields, data }
}

/** A `Buffer` takes small texts from a shared pool; a `TextEncoder` allocates for each. */
const json = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body))

const printed = new WeakMap<object, Uint8Array>()

function sharedJson(body: object): Uint8Array {
  const known = printed.get(body)
  if (known) return known
  const data = json(body)
  printed.set(body, data)
  return data
}

export function errorReply({ headers, status, tag, body }: ApiError): Outgoing {
  const fields = {
    ...headers,
    [header.status]: String(status),
    [header.errorCode]: String(status),
    [header.error]: tag,
  }
  return { status, headers: fields, data: json(body) }
}
