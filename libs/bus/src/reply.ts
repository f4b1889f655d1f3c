/** Replies as they cross the bus: docs/bus.md. */
import type { ApiError } from '@svc/contract/core/errors'
import type { Operation, Reply } from '@svc/contract/core/operation'
import type { MsgHdrs } from 'nats'
import { checkAnswer, checksAnswers } from './check-answer.ts'
import { encodeHeaders } from './headers.ts'
import { header } from './wire.ts'

export interface Outgoing {
  readonly status: number
  readonly headers: MsgHdrs
  readonly data?: Uint8Array
}

const encoder = new TextEncoder()

export function successReply(operation: Operation, { headers, body }: Reply<Operation>): Outgoing {
  if (checksAnswers) checkAnswer(operation, body)
  const status = operation.http?.status ?? 200
  const fields: Record<string, string> = { [header.status]: String(status) }
  for (const [name, value] of Object.entries<string | undefined>(headers ?? {})) {
    if (value) fields[name] = value
  }
  return {
    status,
    headers: encodeHeaders(fields),
    data: operation.output ? encoder.encode(JSON.stringify(body)) : undefined,
  }
}

export function errorReply({ headers, status, tag, body }: ApiError): Outgoing {
  const fields = {
    ...headers,
    [header.status]: String(status),
    [header.errorCode]: String(status),
    [header.error]: tag,
  }
  return { status, headers: encodeHeaders(fields), data: encoder.encode(JSON.stringify(body)) }
}
