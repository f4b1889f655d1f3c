/**
 * Answers requests that the HTTP parser refuses on the raw connection: there is no request, or only its beginning.
 */
import { type ApiError, refusal } from '@svc/contract/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type IncomingMessage, STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { linger, lookAt } from './linger.ts'
import { refusalOf } from './refusals.ts'

interface Exchange {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const exchanges = new WeakMap<object, Exchange>()
const waiting = new WeakSet<Socket>()
/** How long a client that was too slow may leave its side of the connection open, in milliseconds. */
const slowLingerMs = 1000

export function rememberExchange({ id, raw: request }: FastifyRequest, { raw: response }: FastifyReply) {
  exchanges.set(request.socket, { id, request, response })
}

/** Prevents a reset when an answer ends its connection before the end of the request's body. */
export function lingerWhereUnread(server: Server) {
  server.on('connection', (socket: Socket) => {
    // http.Server calls this after the last answer of a connection.
    socket.destroySoon = lingerOrDestroy
  })
}

function lingerOrDestroy(this: Socket) {
  if (exchanges.get(this)?.request.complete === false) close(this)
  else Socket.prototype.destroySoon.call(this)
}

/** The answer to the latest request of a connection, in progress or sent. */
export const latestResponse = (socket: Socket): ServerResponse | undefined => exchanges.get(socket)?.response

/**
 * Answers a request that the parser refused, and closes the connection. After a complete request on the same
 * connection it waits for that answer: the client counts answers.
 *
 * @returns the status, if it does not answer a request that was already started
 */
export function answerParserError(
  error: Error & { code?: string },
  socket: Socket,
  standing: Record<string, string>,
): number | undefined {
  // Data that arrives while it lingers need not be HTTP, nor end.
  if (waiting.has(socket) || lookAt(socket)) return undefined
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const refused = refusalOf(error) ?? refusal('malformed_request')
  const last = exchanges.get(socket)
  if (!last || last.request.complete) return answerInTurn(socket, refused, standing)
  const ms = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? slowLingerMs : undefined
  // The request's own body is late or broken. A request that is already answered needs nothing more.
  if (last.response.headersSent) close(socket, '', ms)
  else {
    last.response.statusCode = refused.status
    close(socket, textOf(refused, { ...standing, 'Svc-Request-Id': last.id }, last.request.method), ms)
  }
  return undefined
}

/**
 * Sends the last answer on this connection, once everything before it is answered.
 *
 * @returns the status
 */
export function answerInTurn(socket: Socket, refused: ApiError, headers: Record<string, string>): number {
  const before = exchanges.get(socket)?.response
  if (!before || before.writableFinished) close(socket, textOf(refused, headers))
  else {
    waiting.add(socket)
    before.once('close', () => {
      waiting.delete(socket)
      if (socket.writable) close(socket, textOf(refused, headers))
    })
  }
  return refused.status
}

function textOf(
  { status, body, headers: own }: ApiError,
  headers: Record<string, string>,
  method?: string,
): string {
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...headers, ...own }).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${method === 'HEAD' ? '' : text}`
}

function close(socket: Socket, text?: string, ms?: number) {
  linger(socket, text, ms)
  const request = exchanges.get(socket)?.request
  if (!request || request.complete) return
  // Readers of this body must not act on it any more, because the client gets a refusal.
  request.removeAllListeners('data').removeAllListeners('end')
  request.on('data', () => lookAt(socket))
}
