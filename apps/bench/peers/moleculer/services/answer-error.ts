/** Every refusal in the envelope of docs/specification.md, R17. */
import type { GatewayResponse, IncomingRequest } from 'moleculer-web'
import { errorBody, internalBody, Refusal } from '../../shared/refusal.ts'

interface Failure extends Error {
  /** Set by moleculer. */
  code?: number
  /** Set by the body parser. */
  status?: number
  type?: string
  data?: unknown
}

interface Logging {
  logResponse(request: IncomingRequest, response: GatewayResponse): void
}

export function answerError(
  this: Logging,
  request: IncomingRequest,
  response: GatewayResponse,
  error: Failure,
) {
  const { status, body } = answerTo(error)
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
  this.logResponse(request, response)
}

function answerTo(error: Failure): { status: number; body: object } {
  if (error instanceof Refusal) return error
  const { type, data, message } = error
  if (type === 'REFUSED') return { status: error.code ?? 500, body: data as object }
  if (type === 'VALIDATION_ERROR') return { status: 400, body: errorBody(400, problems(data)) }
  const status = Number(error.code ?? error.status)
  if (status >= 400 && status < 500) {
    return { status, body: errorBody(status, [{ code: 100 * status + 1, message }]) }
  }
  return { status: 500, body: internalBody }
}

const problems = (data: unknown) =>
  (data as { field: string; message: string }[]).map(({ field, message }) => ({
    code: 40002,
    message,
    path: field?.split('.'),
  }))
