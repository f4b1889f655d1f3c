/** Replies as they cross the bus: design, "The bus". */
import type { ApiError } from '@svc/contract/errors'
import type { Operation, Reply } from '@svc/contract/operation'
import { type MsgHdrs, headers as busHeaders } from 'nats'
import { header } from './wire.ts'

export interface Outgoing {
  readonly headers: MsgHdrs
  readonly data?: Uint8Array
}

const encoder = new TextEncoder()

export function successReply(operation: Operation, reply: Reply<Operation>): Outgoing {
  const headers = busHeaders()
  for (const [name, value] of Object.entries<string | undefined>(reply.headers ?? {})) {
    if (value) headers.set(name, value)
  }
  headers.set(header.status, String(operation.http?.status ?? 200))
  return { headers, data: operation.output ? encoder.encode(JSON.stringify(reply.body)) : undefined }
}

export function errorReply(error: ApiError): Outgoing {
  const headers = busHeaders()
  for (const [name, value] of Object.entries(error.headers)) headers.set(name, value)
  headers.set(header.status, String(error.status))
  headers.set(header.errorCode, String(error.status))
  headers.set(header.error, error.tag)
  return { headers, data: encoder.encode(JSON.stringify(error.body)) }
}
