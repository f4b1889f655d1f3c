/**
 * Answers on the raw connection, for what the HTTP parser refuses: there is no request, or only its
 * beginning.
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

/** The latest request of each connection, and its answer. */
const exchanges = new WeakMap<object, Exchange>()
/** Connections whose last answer waits for earlier ones. */
const waiting = new WeakSet<Socket>()
/** How long a client that was too slow may leave its side of the connection open, in milliseconds. */
const slowLingerMs = 1000

export function rememberExchange({ id, raw: request }: FastifyRequest, { raw: response }: FastifyReply) {
  exchanges.set(request.socket, { id, request, response })
}

/** An answer that ends its connection before the end of its request's body does not reset it. */
export function lingerWhereUnread(server: Server) {
  server.on('connection', (socket: Socket) => {
    // What http.Server calls after the last answer of a connection.
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
 * Answers what the parser refused, and closes the connection. What follows a complete request on the same connection
 * is refused after that request is answered: the client counts answers.
 *
 * @returns the status, if it does not answer a request that was already started
 */
export function answerParserError(
  error: Error & { code?: string },
  socket: Socket,
  standing: Record<string, string>,
): number | undefined {
  // What comes while it lingers need not be HTTP, nor end.
  if (waiting.has(socket) || lookAt(socket)) return undefined
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const refused = refusalOf(error) ?? refusal('malformed_request')
  const last = exchanges.get(socket)
  if (!last || last.request.complete) return answerInTurn(socket, refused, standing)
  const ms = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? slowLingerMs : undefined
  // The request's own body is late or broken. One that is already answered needs nothing more.
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

/** A complete response without http.ServerResponse. */
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
  // Whoever waits for the end of this body must not act on it any more: the client was told that it was refused.
  request.removeAllListeners('data').removeAllListeners('end')
  request.on('data', () => lookAt(socket))
}
